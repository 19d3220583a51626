/** What the server answers to a tenant's call: why it refuses, and sentences of its replies. */
export const refusals = {
  // Sign in and sign up.
  'The email address, password or location is not right. Please check all three and try again.':
    'El correo electrónico, la contraseña o el centro no es correcto. Revise los tres e inténtelo de nuevo.',
  'There were too many sign-ins from your network. Please wait a moment and try again.':
    'Hubo demasiados inicios de sesión desde su red. Espere un momento e inténtelo de nuevo.',
  'There were too many wrong passwords. Please wait a moment and try again, or choose “Forgot password”.':
    'Hubo demasiadas contraseñas incorrectas. Espere un momento e inténtelo de nuevo, o elija “¿Olvidó su contraseña?”.',
  'There were too many wrong passwords. Please choose “Forgot password” to set a new one.':
    'Hubo demasiadas contraseñas incorrectas. Elija “¿Olvidó su contraseña?” para crear una nueva.',
  'The proof key is not valid.': 'La clave de prueba no es válida.',
  'This browser cannot keep a key for signing in. Please leave private browsing and try again.':
    'Este navegador no puede guardar una clave para iniciar sesión. Salga de la navegación privada e inténtelo de nuevo.',
  '{browser} on {system}': '{browser} en {system}',
  'That location is not one of ours.': 'Ese centro no es uno de los nuestros.',
  'This account was looked up too often. Please use a code that you got, or try again later.':
    'Esta cuenta se buscó demasiadas veces. Use un código que ya recibió o inténtelo más tarde.',
  'There were too many tries. Please try again later.':
    'Hubo demasiados intentos. Inténtelo más tarde.',
  'Your verification is no longer valid. Please look up your account again.':
    'Su verificación ya no es válida. Busque su cuenta de nuevo.',
  'This password is one of the most common ones. Please choose another.':
    'Esta contraseña es una de las más comunes. Elija otra.',
  'This password is too close to your email address, the city or our name. Please choose another.':
    'Esta contraseña se parece demasiado a su correo, a la ciudad o a nuestro nombre. Elija otra.',
  // Passkeys.
  'Passkeys do not work at this address of the portal.':
    'Las llaves de acceso no funcionan en esta dirección del portal.',
  'The passkey could not be verified. Please try again.':
    'No se pudo verificar la llave de acceso. Inténtelo de nuevo.',
  'This passkey was added before.': 'Esta llave de acceso ya se había agregado.',
  'You have {most} passkeys. Please remove one that you no longer use.':
    'Tiene {most} llaves de acceso. Quite una que ya no use.',
  'You added many passkeys. Please wait an hour and try again.':
    'Agregó muchas llaves de acceso. Espere una hora e inténtelo de nuevo.',
  'A passkey is added within {minutes} minutes of signing in. Please sign in again first.':
    'Una llave de acceso solo se agrega en los {minutes} minutos después de iniciar sesión. Primero inicie sesión de nuevo.',
  'This passkey does not sign in here. Please use your email address and password.':
    'Esta llave de acceso no inicia sesión aquí. Use su correo electrónico y contraseña.',
  'This browser cannot keep a key, and so cannot keep you signed in. Please sign in without that.':
    'Este navegador no puede guardar una clave y por eso no puede mantener su sesión abierta. Inicie sesión sin esa opción.',
  'This session needs no confirmation.': 'Esta sesión no necesita confirmación.',
  // Payments.
  'Payments cannot be taken for this facility at the moment. Please call it.':
    'Por el momento no se aceptan pagos para este centro. Llámelo.',
  'Only one unit can be paid ahead at a time.':
    'Solo se puede pagar por adelantado una unidad a la vez.',
  'Payments may name each unit once.': 'Cada unidad puede aparecer una sola vez en los pagos.',
  'This Idempotency-Key was already used for another payment.':
    'Esta Idempotency-Key ya se usó para otro pago.',
  'Idempotency-Key is required.': 'El campo Idempotency-Key es obligatorio.',
  'The unitId is not that of the rental.': 'El unitId no es el del alquiler.',
  'What is to be paid has changed. Please check the amount and pay again.':
    'Lo que se debe pagar cambió. Revise el importe y pague de nuevo.',
  'Amount must be at most what is owed on the unit.':
    'El importe no puede ser mayor que lo que se debe de la unidad.',
  'Enter {least} or more, up to {most}.': 'Escriba {least} o más, hasta {most}.',
  'Enter {sum}: it is paid as a whole.': 'Escriba {sum}: se paga completo.',
  'The least that can be paid online is {least}. Please pay it together with your next bill, or call your facility.':
    'El pago mínimo en línea es de {least}. Páguelo junto con su próxima factura o llame a su centro.',
  'Your payment is being confirmed. Please wait a moment; you will not be charged twice.':
    'Estamos confirmando su pago. Espere un momento; no se le cobrará dos veces.',
  'The payment was declined.': 'El pago fue rechazado.',
  'This facility does not take payments ahead online. Please call it.':
    'Este centro no acepta pagos por adelantado en línea. Llámelo.',
  'This unit cannot be paid ahead. Please call your facility.':
    'Esta unidad no se puede pagar por adelantado. Llame a su centro.',
  'This unit can be paid ahead for {months, plural, one {# month} other {# months}} at most.':
    'Esta unidad se puede pagar por adelantado por {months, plural, one {# mes} other {# meses}} como máximo.',
  'Your credit covers these bills. There is nothing to pay.':
    'Su saldo a favor cubre estas facturas. No hay nada que pagar.',
  '{count, plural, one {# month} other {# months}}, {days}':
    '{count, plural, one {# mes} other {# meses}}, {days}',
  'There were too many tries from your network. Please wait a moment and try again.':
    'Hubo demasiados intentos desde su red. Espere un momento e inténtelo de nuevo.',
  // Cards and bank accounts.
  'Card numbers are not accepted here. Please use the card form of this page.':
    'Aquí no se aceptan números de tarjeta. Use el formulario de tarjeta de esta página.',
  'Payment tokens are not accepted here. Please give the card or account itself.':
    'Aquí no se aceptan tokens de pago. Indique la tarjeta o la cuenta.',
  'Expiration year must be from {first} to {last}.':
    'El año de vencimiento debe estar entre {first} y {last}.',
  'The payment service does not answer. Please try again in a moment.':
    'El servicio de pagos no responde. Inténtelo de nuevo en un momento.',
  'Payments by bank account are not available at the moment. You were not charged. Please use a card.':
    'Por el momento no se puede pagar con cuenta bancaria. No se le cobró. Use una tarjeta.',
  'Payments are not available at the moment. You were not charged. Please try again in a few minutes.':
    'Por el momento no se puede pagar. No se le cobró. Inténtelo de nuevo en unos minutos.',
  'There were too many declined payments. Please try again in an hour, or call the facility.':
    'Hubo demasiados pagos rechazados. Inténtelo de nuevo en una hora o llame al centro.',
  'There were too many declined payments with this card or account. Please use another one, or call the facility.':
    'Hubo demasiados pagos rechazados con esta tarjeta o cuenta. Use otra o llame al centro.',
  'Other payments of yours are under way. Please try again in a moment.':
    'Tiene otros pagos en curso. Inténtelo de nuevo en un momento.',
  // Why a gateway declines (server/src/adapters/payments).
  'Your card was declined. Please use another card.': 'Su tarjeta fue rechazada. Use otra tarjeta.',
  'Your bank declined this card. Please use another card.':
    'Su banco rechazó esta tarjeta. Use otra tarjeta.',
  'Your card has insufficient funds. Please use another card.':
    'Su tarjeta no tiene fondos suficientes. Use otra tarjeta.',
  'Your card cannot be used any more. Please use another card.':
    'Su tarjeta ya no se puede usar. Use otra tarjeta.',
  'Your card has reached its limit. Please use another card.':
    'Su tarjeta llegó a su límite. Use otra tarjeta.',
  'Your card could not be reached. Please try again in a moment.':
    'No se pudo consultar su tarjeta. Inténtelo de nuevo en un momento.',
  'Your card’s security code is not right. Please check it.':
    'El código de seguridad de su tarjeta no es correcto. Revíselo.',
  'Your card’s billing zip is not right. Please check it.':
    'El código postal de su tarjeta no es correcto. Revíselo.',
  'Your card’s bank asks for a confirmation that is not possible here. Please use another card.':
    'El banco de su tarjeta pide una confirmación que aquí no es posible. Use otra tarjeta.',
  'The amount is too small for this card or bank account.':
    'El importe es demasiado pequeño para esta tarjeta o cuenta bancaria.',
  'The amount is too large for this card or bank account.':
    'El importe es demasiado grande para esta tarjeta o cuenta bancaria.',
  'These card fields were used before. Please fill them in again.':
    'Estos datos de la tarjeta ya se usaron. Complételos de nuevo.',
  'These card fields can no longer be used. Please fill them in again.':
    'Estos datos de la tarjeta ya no se pueden usar. Complételos de nuevo.',
  'Your card has expired. Please use another card.': 'Su tarjeta venció. Use otra tarjeta.',
  'Your card number is not right. Please check it.':
    'El número de su tarjeta no es correcto. Revíselo.',
  'Your card’s account is not valid. Please use another card.':
    'La cuenta de su tarjeta no es válida. Use otra tarjeta.',
  'Your card does not allow this payment. Please use another card.':
    'Su tarjeta no permite este pago. Use otra tarjeta.',
  'This card or bank account is not known any more. Please enter it again.':
    'Esta tarjeta o cuenta bancaria ya no está registrada. Ingrésela de nuevo.',
  'Your bank account has insufficient funds. Please use another bank account or a card.':
    'Su cuenta bancaria no tiene fondos suficientes. Use otra cuenta bancaria o una tarjeta.',
  'Your bank account could not be debited. Please use another bank account or a card.':
    'No se pudo cobrar de su cuenta bancaria. Use otra cuenta bancaria o una tarjeta.',
  'Your bank account is closed. Please use another bank account or a card.':
    'Su cuenta bancaria está cerrada. Use otra cuenta bancaria o una tarjeta.',
  'Your bank account was not found. Please use another bank account or a card.':
    'No se encontró su cuenta bancaria. Use otra cuenta bancaria o una tarjeta.',
  'Your bank account cannot be debited. Please use another bank account or a card.':
    'No se puede cobrar de su cuenta bancaria. Use otra cuenta bancaria o una tarjeta.',
  'Your bank account is not verified. Please use another bank account or a card.':
    'Su cuenta bancaria no está verificada. Use otra cuenta bancaria o una tarjeta.',
  'Your bank does not allow debits of this account. Please use another bank account or a card.':
    'Su banco no permite cobros a esta cuenta. Use otra cuenta bancaria o una tarjeta.',
  'Your consent to debit this account has ended. Please enter it again.':
    'Su autorización para cobrar de esta cuenta terminó. Ingrésela de nuevo.',
  'This bank account must be verified with small deposits first, which is not possible here. Please sign in to your bank instead, or use a card.':
    'Esta cuenta bancaria debe verificarse primero con depósitos pequeños, lo que aquí no es posible. Inicie sesión en su banco o use una tarjeta.',
  'The routing number of this bank account is not valid. Please check it, or use another account.':
    'El número de ruta de esta cuenta bancaria no es válido. Revíselo o use otra cuenta.',
  'This is not a bank account.': 'Esto no es una cuenta bancaria.',
  'This is not a card.': 'Esto no es una tarjeta.',
  // Why a bank returns a payment; also in notices.ts, for contract/src/entry-names.ts.
  'there was not enough money in the account': 'la cuenta no tenía fondos suficientes',
  'the account is closed': 'la cuenta está cerrada',
  'there is no such account': 'la cuenta no existe',
  'the account number is not valid': 'el número de cuenta no es válido',
  'the debit was not authorized for this kind of account':
    'el débito no estaba autorizado para este tipo de cuenta',
  'the authorization was revoked': 'la autorización fue revocada',
  'the payment was stopped': 'se ordenó detener el pago',
  'the money in the account was not available yet':
    'el dinero de la cuenta aún no estaba disponible',
  'the account holder did not authorize the debit': 'el titular de la cuenta no autorizó el débito',
  'the debit did not match the authorization': 'el débito no coincidía con la autorización',
  'the account is frozen': 'la cuenta está congelada',
  'the account does not take debits': 'la cuenta no acepta débitos',
  'the business that holds the account did not authorize the debit':
    'la empresa titular de la cuenta no autorizó el débito',
  'the bank gave no reason that we know': 'el banco no dio un motivo que conozcamos',
  // Payment history.
  'The payment was returned by the bank.': 'El banco devolvió el pago.',
  'Disputed with the card issuer.': 'Disputado ante el emisor de la tarjeta.',
  'The dispute with the card issuer was decided for the facility: this payment counts again.':
    'La disputa ante el emisor de la tarjeta se resolvió a favor del centro: este pago cuenta de nuevo.',
  'The dispute with the card issuer was decided for you.':
    'La disputa ante el emisor de la tarjeta se resolvió a favor de usted.',
  'Moved to another unit.': 'Transferido a otra unidad.',
  'Corrected by the facility.': 'Corregido por el centro.',
  'Refunded in part.': 'Reembolsado en parte.',
  'Refunded.': 'Reembolsado.',
  // Autopay.
  'This Idempotency-Key was already used for another change of autopay.':
    'Esta Idempotency-Key ya se usó para otro cambio del pago automático.',
  'This change of autopay is being made. Please wait a moment.':
    'Este cambio del pago automático está en curso. Espere un momento.',
  'The bank has refused this payment method. Please give another card or account.':
    'El banco rechazó esta forma de pago. Indique otra tarjeta o cuenta.',
  'Your bank refused this payment method. Please set up autopay with another one.':
    'Su banco rechazó esta forma de pago. Active el pago automático con otra.',
  'Autopay does not charge, because we have no authorization on file. Please set it up again.':
    'El pago automático no cobra porque no tenemos su autorización. Actívelo de nuevo.',
  'Autopay does not charge this unit at the moment. Please call your facility.':
    'Por el momento, el pago automático no cobra esta unidad. Llame a su centro.',
  'Your card has expired. Please set up autopay with another one.':
    'Su tarjeta venció. Active el pago automático con otra.',
  'Your card expires before the next charge. Please set up autopay with another one.':
    'Su tarjeta vence antes del próximo cobro. Active el pago automático con otra.',
  // Photos and papers.
  'Many photos are arriving right now. Please try again in a moment.':
    'Están llegando muchas fotos. Inténtelo de nuevo en un momento.',
  'Photos in the HEIC format cannot be used. Please choose a JPEG or PNG.':
    'No se pueden usar fotos en formato HEIC. Elija una en JPEG o PNG.',
  'The photo is too large. It may have at most 40 megapixels.':
    'La foto es demasiado grande. Puede tener 40 megapíxeles como máximo.',
  'The photo is too large. It may have at most 8,000 pixels a side.':
    'La foto es demasiado grande. Puede tener 8,000 píxeles por lado como máximo.',
  'The photo is too large in this format. Please choose a smaller one or an ordinary JPEG.':
    'La foto es demasiado grande en este formato. Elija una más pequeña o un JPEG común.',
  'The photo is damaged. Please choose another one.': 'La foto está dañada. Elija otra.',
  'You can send {most} photos a day. Please try again tomorrow.':
    'Puede enviar {most} fotos al día. Inténtelo de nuevo mañana.',
  'Photos cannot be stored or shown at the moment. Please try again later.':
    'Por el momento no se pueden guardar ni mostrar fotos. Inténtelo más tarde.',
  'You have sent several photos within the last hour. Please try again later, send the request without a photo, or call your facility.':
    'Envió varias fotos en la última hora. Inténtelo más tarde, envíe la solicitud sin foto o llame a su centro.',
  'The file is damaged. Please choose another one.': 'El archivo está dañado. Elija otro.',
  'The file must be a PDF, or a photo as JPEG, PNG, GIF or WebP.':
    'El archivo debe ser un PDF o una foto en JPEG, PNG, GIF o WebP.',
  'Expiration date is too far ahead. Please check it.':
    'La fecha de vencimiento está demasiado lejos. Revísela.',
  'You have filed several papers within the last hour. Please try again later, or call your facility.':
    'Presentó varios documentos en la última hora. Inténtelo más tarde o llame a su centro.',
  'This vehicle or boat is already entered for the unit.':
    'Este vehículo o esta embarcación ya está registrado en la unidad.',
  'A unit can have {most} vehicles and boats here. Please remove one first.':
    'Una unidad puede tener aquí {most} vehículos y embarcaciones. Quite uno primero.',
  'The e-sign documents cannot be shown right now. Please try again in a moment.':
    'Por ahora no se pueden mostrar los documentos para firma electrónica. Inténtelo de nuevo en un momento.',
  // The account and its rentals.
  "A driver's license is already on file. Please call your facility to change it.":
    'Ya hay una licencia de conducir registrada. Llame a su centro para cambiarla.',
  'A phone number is already on file. Please call your facility to change it.':
    'Ya hay un teléfono registrado. Llame a su centro para cambiarlo.',
  'The contents were changed several times within the last hour. Please try again later, or call your facility.':
    'El contenido se cambió varias veces en la última hora. Inténtelo más tarde o llame a su centro.',
  'This unit has an active protection plan already. Please call your facility to change it.':
    'Esta unidad ya tiene un plan de protección activo. Llame a su centro para cambiarlo.',
  'This unit has no 24-hour access. Please call your facility.':
    'Esta unidad no tiene acceso las 24 horas. Llame a su centro.',
  'Move-out date must be today or later.': 'La fecha de salida debe ser hoy o posterior.',
  // Requests.
  'This Idempotency-Key was already used for another request.':
    'Esta Idempotency-Key ya se usó para otra solicitud.',
  'You have sent this several times within the last hour. Please try again later, or call the facility.':
    'Envió esto varias veces en la última hora. Inténtelo más tarde o llame al centro.',
  'The facility has not replied to this request yet. Please call it if something has changed.':
    'El centro aún no ha respondido a esta solicitud. Llámelo si algo cambió.',
  'This request has had too many answers. Please call the facility.':
    'Esta solicitud ya tiene demasiadas respuestas. Llame al centro.',
  // Text messages.
  'What you agree to has changed. Please load this page again and read it.':
    'Lo que usted acepta cambió. Cargue esta página de nuevo y léalo.',
  'Too many codes were sent to this number. Please use one that you got, or try again later.':
    'Se enviaron demasiados códigos a este número. Use uno que ya recibió o inténtelo más tarde.',
  'Your facility sends no text messages.': 'Su centro no envía mensajes de texto.',
  'There is no phone number on file that gets text messages.':
    'No hay un teléfono registrado que reciba mensajes de texto.',
  'STOP was texted from this number. Text START to where the texts came from, and try again.':
    'Desde este número se envió STOP. Envíe START al número de donde llegaron los mensajes e inténtelo de nuevo.',
  // The calendar.
  'You made too many calendars. Please wait an hour and try again.':
    'Creó demasiados calendarios. Espere una hora e inténtelo de nuevo.',
  'This calendar was read too often. Please try again later.':
    'Este calendario se leyó demasiadas veces. Inténtelo más tarde.',
  'There is no calendar here. It may have been removed.':
    'Aquí no hay ningún calendario. Es posible que se haya quitado.',
  'Rent changes to {sum}': 'La renta cambia a {sum}',
  'From the bill that is due on {day} or after it.':
    'Desde la factura que vence el {day} o después.',
  'The rental ends before this day.': 'El alquiler termina antes de este día.',
  '{brand} ending in {lastFour}': '{brand} terminada en {lastFour}',
  '{card} expires': '{card} vence',
  'Autopay charges this card. Please set up autopay with another one by then.':
    'El pago automático usa esta tarjeta. Active el pago automático con otra antes de ese día.',
  'Insurance ends': 'Termina el seguro',
  'Please file proof of the renewed policy by then.':
    'Presente el comprobante de la póliza renovada antes de ese día.',
  'Vehicle insurance expires': 'Vence el seguro del vehículo',
  'Registration expires': 'Vence el registro',
  'Please file the renewed paper under Account Management by then.':
    'Presente el documento renovado en Administrar la cuenta antes de ese día.',
  'As far as the sum is known today: a fee, a payment or a change of plan changes it.':
    'Según lo que se sabe hoy: un cargo, un pago o un cambio de plan modifica el importe.',
  'Autopay {sum}': 'Pago automático {sum}',
  'Rent due {sum}': 'Vence la renta {sum}',
  'Unpaid {sum}': 'Sin pagar {sum}',
  'This is owed now.': 'Este importe se debe ahora.',
} as const;
