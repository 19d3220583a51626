/** Billing Info, Payment History, the payment dialog, autopay and charges, and the pay link. */
export const payments = {
  // Words that many places share.
  Setup: 'Activar',
  'Pay {sum}': 'Pagar {sum}',
  Units: 'Unidades',
  Date: 'Fecha',
  Amount: 'Importe',
  Total: 'Total',
  Receipt: 'Recibo',
  Payments: 'Pagos',
  'Something went wrong. Please try again.': 'Algo salió mal. Inténtelo de nuevo.',
  '{message} What you entered is still here.': '{message} Lo que escribió sigue aquí.',
  // Days and months.
  '{sum} on {day}': '{sum} el {day}',
  '{month} {year}': '{month} de {year}',
  January: 'enero',
  February: 'febrero',
  March: 'marzo',
  April: 'abril',
  May: 'mayo',
  June: 'junio',
  July: 'julio',
  August: 'agosto',
  September: 'septiembre',
  October: 'octubre',
  November: 'noviembre',
  December: 'diciembre',
  // Passkeys.
  'This browser has no passkeys.': 'Este navegador no tiene llaves de acceso.',
  'This device has a passkey for your account already. Sign in with that one.':
    'Este dispositivo ya tiene una llave de acceso para su cuenta. Inicie sesión con ella.',
  'Passkeys do not work at this address.': 'Las llaves de acceso no funcionan en esta dirección.',
  'Set a screen lock on this device first.':
    'Primero configure un bloqueo de pantalla en este dispositivo.',
  'No passkey was used.': 'No se usó ninguna llave de acceso.',
  'Sign in with your email address and password.':
    'Inicie sesión con su correo electrónico y su contraseña.',
  'Nothing was sent. Try again, or log out and sign in with your password.':
    'No se envió nada. Inténtelo de nuevo, o cierre la sesión e iníciela con su contraseña.',
  // Payment methods.
  'Business Checking': 'Cuenta de cheques comercial',
  'Consumer Checking': 'Cuenta de cheques personal',
  'Consumer Savings': 'Cuenta de ahorros personal',
  'Expires {month}': 'Vence en {month}',
  'Bank account (ACH)': 'Cuenta bancaria (ACH)',
  'Payment Method': 'Forma de pago',
  'New payment method': 'Nueva forma de pago',
  '{method} was declined.': '{method} fue rechazada.',
  '{method} has expired. Please use another payment method.':
    '{method} ya venció. Use otra forma de pago.',
  'Payment Type': 'Tipo de pago',
  'From a bank account.': 'Desde una cuenta bancaria.',
  'From a bank account, with no card fee.': 'Desde una cuenta bancaria, sin cargo por tarjeta.',
  'Or a debit card.': 'O una tarjeta de débito.',
  'Card Number': 'Número de tarjeta',
  'Card Type': 'Tipo de tarjeta',
  'Select card type': 'Seleccionar tipo de tarjeta',
  'Expiration Month': 'Mes de vencimiento',
  'Expiration Year': 'Año de vencimiento',
  'Expiration month and year are required.': 'El mes y el año de vencimiento son obligatorios.',
  Month: 'Mes',
  Year: 'Año',
  'Security Code': 'Código de seguridad',
  '3 digits on the back, or 4 on the front of an American Express card.':
    '3 dígitos al reverso, o 4 al frente en una tarjeta American Express.',
  'Name on Card': 'Nombre en la tarjeta',
  'Street Address': 'Dirección',
  'Billing Zip': 'Código postal de facturación',
  'Account Type': 'Tipo de cuenta',
  'Select account type': 'Seleccionar tipo de cuenta',
  'Routing Number': 'Número de ruta',
  '9 digits, at the bottom left of a check.': '9 dígitos, abajo a la izquierda en un cheque.',
  'These digits are not a usual routing number. Please check them.':
    'Estos dígitos no son un número de ruta habitual. Revíselos.',
  'Account Number': 'Número de cuenta',
  'On a check it follows the routing number.': 'En un cheque está después del número de ruta.',
  'The form is still loading. Please wait a moment and try again.':
    'El formulario aún se está cargando. Espere un momento e inténtelo de nuevo.',
  'The payment provider’s form could not be loaded. Check your connection and any content blocker.':
    'No se pudo cargar el formulario del proveedor de pagos. Revise su conexión y los bloqueadores de contenido.',
  'Nothing was sent: a part of this form could not be loaded. Please reload the page and try again.':
    'No se envió nada: no se pudo cargar una parte de este formulario. Vuelva a cargar la página e inténtelo de nuevo.',
  'The payment provider’s form could not be loaded. Nothing was sent. Try again above.':
    'No se pudo cargar el formulario del proveedor de pagos. No se envió nada. Inténtelo de nuevo arriba.',
  'The payment provider’s form takes longer than usual…':
    'El formulario del proveedor de pagos tarda más de lo habitual…',
  'Loading the payment provider’s form…': 'Cargando el formulario del proveedor de pagos…',
  'The payment provider did not take the form. Please check it and try again.':
    'El proveedor de pagos no aceptó el formulario. Revíselo e inténtelo de nuevo.',
  // Autopay.
  'Autopay Status (Required)': 'Pago automático (obligatorio)',
  'The autopay status could not be loaded.': 'No se pudo cargar el estado del pago automático.',
  'autopay for {unit}': 'pago automático de {unit}',
  Active: 'Activo',
  'Not set up': 'Sin activar',
  'Autopay is on.': 'El pago automático está activo.',
  'Autopay is off: you pay each bill yourself.':
    'El pago automático está inactivo: usted paga cada factura.',
  'Autopay history': 'Historial del pago automático',
  'Autopay has not charged this unit yet':
    'El pago automático aún no ha cobrado nada por esta unidad',
  Paid: 'Pagado',
  'Pending at the bank': 'Pendiente en el banco',
  'Returned by the bank': 'Devuelto por el banco',
  'Being confirmed': 'En confirmación',
  'We try again on {day}.': 'Lo intentaremos de nuevo el {day}.',
  'Your bank still has to confirm it.': 'Su banco aún debe confirmarlo.',
  'What it had paid is due again.': 'Lo que había pagado se debe de nuevo.',
  'We do not know yet whether it was taken, and ask until we do.':
    'Aún no sabemos si se cobró; seguiremos preguntando hasta saberlo.',
  'Next charge: {sum} on {day}': 'Próximo cobro: {sum} el {day}',
  'Why this amount': 'Por qué este importe',
  'Owed already': 'Ya se debía',
  'Your credit': 'Su saldo a favor',
  'Switch autopay off': 'Desactivar pago automático',
  'Switch off': 'Desactivar',
  'The next charge of {sum} on {day} will not be taken.':
    'No se hará el próximo cobro de {sum} del {day}.',
  'What is owed stays owed: {sum}. Please pay it yourself.':
    'Lo que debe sigue pendiente: {sum}. Páguelo por su cuenta.',
  'From now on you pay what comes due yourself.':
    'A partir de ahora usted paga por su cuenta lo que venza.',
  'Your payment method stays saved for when you pay.':
    'Su forma de pago queda guardada para cuando pague.',
  'Other units keep their autopay.': 'Las demás unidades conservan su pago automático.',
  'Autopay is off': 'Pago automático desactivado',
  'Autopay is switched off for unit {unit}.':
    'El pago automático de la unidad {unit} está desactivado.',
  'Pay on Billing Info from now on, or set autopay up again at any time. {method} stays saved for when you pay.':
    'A partir de ahora pague en Facturación, o vuelva a activar el pago automático cuando quiera. {method} queda guardada para cuando pague.',
  'Your payment method': 'Su forma de pago',
  // Charges.
  'View Charges': 'Ver cargos',
  Charges: 'Cargos',
  'What is still owed for {unit}.': 'Lo que aún se debe por {unit}.',
  'Charges of {unit}': 'Cargos de {unit}',
  'The charges could not be loaded.': 'No se pudieron mostrar los cargos.',
  'There are no charges on this unit': 'No hay cargos en esta unidad',
  'Tax 1': 'Impuesto 1',
  'Tax 2': 'Impuesto 2',
  'Discount plan: {name}': 'Plan de descuento: {name}',
  // Billing Info.
  'Billing Information': 'Información de facturación',
  'Pay what is due, or let autopay take each bill on its due date. If something is due, Setup or Update pays it first.':
    'Pague lo que debe o deje que el pago automático cobre cada factura en su vencimiento. Si debe algo, Activar o Actualizar lo paga primero.',
  'Let autopay take each bill on its due date.':
    'Deje que el pago automático cobre cada factura en su vencimiento.',
  'Autopay pays each bill on its due date.':
    'El pago automático cobra cada factura en su vencimiento.',
  'Units and payment methods': 'Unidades y formas de pago',
  'Nothing is due': 'No debe nada',
  'Balance and payment method of each unit': 'Saldo y forma de pago de cada unidad',
  'Unit Name': 'Unidad',
  'Current Balance': 'Saldo actual',
  'Could not be loaded.': 'No se pudo cargar.',
  // The payment dialog.
  'Setup payment method': 'Configurar forma de pago',
  'Update payment method': 'Actualizar forma de pago',
  'All units': 'Todas las unidades',
  'Nothing due': 'No debe nada',
  '{sum} due': 'Debe {sum}',
  'What is due': 'Lo que se debe',
  'Another amount': 'Otro importe',
  'A part of what is due.': 'Una parte de lo que se debe.',
  'Months ahead': 'Meses por adelantado',
  'Bills before they are due.': 'Facturas antes de que venzan.',
  'Amount in dollars': 'Importe en dólares',
  'Enter an amount such as 150 or 150.50.': 'Escriba un importe como 150 o 150.50.',
  'How many months ahead': 'Cuántos meses por adelantado',
  '{count, plural, one {# month} other {# months}}': '{count, plural, one {# mes} other {# meses}}',
  'What it pays': 'Lo que cubre este pago',
  'Part of {entry}': '{entry} (parcial)',
  '{sum} is still due.': 'Aún se deben {sum}.',
  '{sum} stays as a credit and pays your bills through {day} at today’s rates.':
    '{sum} quedan como saldo a favor y pagan sus facturas hasta el {day} con las tarifas de hoy.',
  'The gate opens; after a bank payment, when it has settled.':
    'El portón se abre; con un pago bancario, cuando este se haya acreditado.',
  'This payment opens the gate.': 'Este pago abre el portón.',
  'The gate stays closed. Please call your facility.':
    'El portón sigue cerrado. Llame a su centro de almacenamiento.',
  'The gate stays closed: {sum} is still due.': 'El portón sigue cerrado: aún se deben {sum}.',
  'The gate stays closed. Pay {sum} more to open it.':
    'El portón sigue cerrado. Pague {sum} más para abrirlo.',
  'Autopay authorization': 'Autorización del pago automático',
  'On each due date: what is owed on {units} that day.':
    'En cada vencimiento: lo que ese día se deba por {units}.',
  'Switch it off at any time under Billing Info.':
    'Puede desactivarlo cuando quiera en Facturación.',
  Today: 'Hoy',
  'with {sum} card fee': 'con {sum} de cargo por tarjeta',
  'With “{button}” you agree to autopay.': 'Al elegir “{button}”, usted acepta el pago automático.',
  'Sending your payment…': 'Enviando su pago…',
  '{count, plural, one {# field needs an answer} other {# fields need an answer}}':
    '{count, plural, one {# campo necesita una respuesta} other {# campos necesitan una respuesta}}',
  'Read the authorization': 'Leer la autorización',
  'Setup and pay {sum}': 'Activar y pagar {sum}',
  'Update and pay {sum}': 'Actualizar y pagar {sum}',
  // The pay sheet.
  'Pay {sum} and set up autopay': 'Pagar {sum} y activar el pago automático',
  '{count, plural, one {Set up autopay for this unit} other {Set up autopay for these units}}':
    '{count, plural, one {Activar el pago automático de esta unidad} other {Activar el pago automático de estas unidades}}',
  '{count} units': '{count} unidades',
  '{names} and {count} more': '{names} y {count} más',
  Change: 'Cambiar',
  'the payment method': 'la forma de pago',
  'Nothing was charged.': 'No se cobró nada.',
  'Use another card': 'Usar otra tarjeta',
  'Please use another card.': 'Use otra tarjeta.',
  'Please use another bank account or a card.': 'Use otra cuenta bancaria o una tarjeta.',
  'Pay ahead': 'Pagar por adelantado',
  'that is due': 'lo que se debe',
  'You are offline. Nothing was paid, and what you typed is still here. Connect and try again.':
    'No tiene conexión. No se pagó nada y lo que escribió sigue aquí. Conéctese e inténtelo de nuevo.',
  'Confirming your payment': 'Confirmando su pago',
  'Your payment is being confirmed. This can take a minute or two. Please do not pay again.':
    'Estamos confirmando su pago. Esto puede tardar uno o dos minutos. No vuelva a pagar.',
  'You can close this: the receipt comes by email.':
    'Puede cerrar esto: el recibo llega por correo electrónico.',
  'We could not confirm your payment yet. Your balance and Payment History will show it once it is confirmed. Trying again here asks about the same payment and never takes it twice.':
    'Aún no hemos podido confirmar su pago. Su saldo y el Historial de pagos lo mostrarán cuando se confirme. Si lo intenta de nuevo aquí, solo se consulta el mismo pago; nunca se cobra dos veces.',
  'We could not confirm your payment yet. Trying again here asks about the same payment and never takes it twice.':
    'Aún no hemos podido confirmar su pago. Si lo intenta de nuevo aquí, solo se consulta el mismo pago; nunca se cobra dos veces.',
  'Saving autopay…': 'Guardando el pago automático…',
  'Autopay could not be saved for {units}. {message}':
    'No se pudo guardar el pago automático de {units}. {message}',
  'The autopay payment method has been updated successfully':
    'La forma de pago del pago automático se actualizó correctamente',
  'Autopay is set up': 'Pago automático activado',
  'Autopay is updated': 'Pago automático actualizado',
  'Payment sent': 'Pago enviado',
  'Payment received': 'Pago recibido',
  'Your payment has been applied successfully': 'Su pago se aplicó correctamente',
  'Your payment of {sum} was received. Receipt {receipts}.':
    'Su pago de {sum} se recibió. Recibo {receipts}.',
  'Your payment of {sum} was sent. Receipt {receipts}.':
    'Su pago de {sum} se envió. Recibo {receipts}.',
  'Your payment of {sum} was received. The receipt is in Payment History.':
    'Su pago de {sum} se recibió. El recibo está en Historial de pagos.',
  'Your payment is being confirmed. See Payment History before you pay again.':
    'Su pago se está confirmando. Consulte Historial de pagos antes de volver a pagar.',
  'Your payment is being confirmed. Open this link again in a few minutes before you pay again: once it is paid, it no longer works.':
    'Su pago se está confirmando. Abra este enlace de nuevo en unos minutos antes de volver a pagar: cuando está pagado, deja de funcionar.',
  'Next charge: {charges}': 'Próximo cobro: {charges}',
  'Next due: {charges}': 'Próximo vencimiento: {charges}',
  'The receipt is in {link}.': 'El recibo está en {link}.',
  'Receipt {number}': 'Recibo {number}',
  'as PDF': 'en PDF',
  'of {unit} as PDF': 'de {unit} en PDF',
  'Last receipt': 'Último recibo',
  'Your bank still has to confirm it. If it is returned, the balance is due again.':
    'Su banco aún debe confirmarlo. Si lo devuelve, el saldo se deberá de nuevo.',
  // Payment History.
  'Payments on {unit}': 'Pagos de {unit}',
  '{caption}, page {page} of {pages}': '{caption}, página {page} de {pages}',
  'Payment history pages': 'Páginas del historial de pagos',
  'No payments have been made on this unit': 'No se han hecho pagos de esta unidad',
  'An error was encountered when getting payment history':
    'Hubo un error al obtener el historial de pagos',
  'Taken back': 'Devuelto',
  'Past rentals': 'Alquileres anteriores',
  'Payments on units that you no longer rent.': 'Pagos de unidades que ya no alquila.',
  'Past rental pages': 'Páginas de alquileres anteriores',
  'Payments on past rentals': 'Pagos de alquileres anteriores',
  'The payments on past rentals could not be loaded.':
    'No se pudieron cargar los pagos de alquileres anteriores.',
  Statements: 'Estados de cuenta',
  'The statements could not be loaded.': 'No se pudieron cargar los estados de cuenta.',
  'Each month of your rentals: the charges, and the payments with their receipt numbers.':
    'Cada mes de sus alquileres: los cargos y los pagos con sus números de recibo.',
  "Each month's charges and payments on unit {units}.":
    'Los cargos y pagos de cada mes de la unidad {units}.',
  "Each month's charges and payments on units {units}.":
    'Los cargos y pagos de cada mes de las unidades {units}.',
  'There are no statements yet. The first one comes after the end of this month.':
    'Aún no hay estados de cuenta. El primero llegará cuando termine este mes.',
  'the statement of {month}': 'el estado de cuenta de {month}',
  'Show {count} earlier{statements}': 'Mostrar{statements} anteriores ({count})',
  statements: 'estados de cuenta',
  'Payments by year': 'Pagos por año',
  'Everything paid in a calendar year and what it was for, for your records or your tax adviser.':
    'Todo lo que pagó en un año y por qué concepto, para sus registros o su asesor fiscal.',
  '{year}, so far': '{year}, hasta ahora',
  'the payments of {year}': 'los pagos de {year}',
  'The payments by year could not be loaded.': 'No se pudieron cargar los pagos por año.',
  // The pay link.
  'This pays for {initial}.’s storage unit ({kind}) at {operator}.':
    'Este pago es por la unidad de almacenamiento ({kind}) de {initial}. en {operator}.',
  'Paid for {initial}.’s storage unit ({kind}) at {operator}.':
    'Pagado por la unidad de almacenamiento ({kind}) de {initial}. en {operator}.',
  'This is a one-time payment. The card or account is not saved, and autopay is not set up.':
    'Este pago se hace una sola vez. No se guarda la tarjeta ni la cuenta, y no se activa el pago automático.',
  'If you rent here, you can sign in and pay what is due.':
    'Si alquila aquí, puede iniciar sesión y pagar lo que debe.',
  'Receipt {number} was emailed to the tenant. You can close this page: this link will not work again.':
    'El recibo {number} se envió por correo al inquilino. Puede cerrar esta página: este enlace ya no funcionará.',
  'Your bank still has to confirm it. If it is returned, the sum is due again.':
    'Su banco aún debe confirmarlo. Si lo devuelve, el importe se deberá de nuevo.',
} as const;
