/** Mails to tenants. */
export const mails = {
  // In many of them.
  'Hello {firstName},': 'Hola, {firstName}:',
  'Unit {unitName} at {name} is rented to you from {day}':
    'La unidad {unitName} de {name} está a su nombre desde el {day}',
  'The rental of unit {unitName} continues in your name from {day}. You owe {sum} now. The portal shows your bills and a gate code of your own; autopay is off until you set it up.':
    'El alquiler de la unidad {unitName} continúa a su nombre desde el {day}. Ahora debe {sum}. El portal muestra sus cobros y su propio código de acceso; el pago automático está desactivado hasta que usted lo configure.',
  'Your rental of unit {unitName} at {name} ended on {day}':
    'Su alquiler de la unidad {unitName} en {name} terminó el {day}',
  'The rental of unit {unitName} continues in another name from {day}. You owe nothing for it any more. Autopay and your gate code for it have ended, and your receipts stay in the portal.':
    'El alquiler de la unidad {unitName} continúa a nombre de otra persona desde el {day}. Ya no debe nada por él. El pago automático y su código de acceso terminaron, y sus recibos siguen en el portal.',
  'If you did not agree to this, {ask} right away.': 'Si usted no lo aceptó, {ask} de inmediato.',
  'You get this mail for {tenantName}.': 'Recibe este correo por {tenantName}.',
  'unit {names}': 'la unidad {names}',
  'units {names}': 'las unidades {names}',
  'please contact the facility': 'comuníquese con el centro',
  'please call the facility at {phone}': 'llame al centro al {phone}',
  'please call your facility': 'llame a su centro',
  'please call your facility at {phone}': 'llame a su centro al {phone}',
  'Questions? Please call your facility.': '¿Tiene preguntas? Llame a su centro.',
  'Questions? Please call your facility at {phone}.':
    '¿Tiene preguntas? Llame a su centro al {phone}.',
  'Questions? Call your facility at {phone}.': '¿Tiene preguntas? Llame a su centro al {phone}.',
  'If you have questions, {ask}.': 'Si tiene preguntas, {ask}.',
  'If you have a question, {call}.': 'Si tiene alguna pregunta, {call}.',
  'What it had paid is owed again.': 'Lo que había pagado se debe de nuevo.',
  'Late fee taken back': 'Cargo por mora anulado',
  'Please pay it by {day}.': 'Por favor, páguelo a más tardar el {day}.',
  'What is owed again is to be paid by {day}.':
    'Lo que se debe de nuevo debe pagarse a más tardar el {day}.',
  'Unit {unit}': 'Unidad {unit}',
  'Unit {unit}: {entry}': 'Unidad {unit}: {entry}',
  Due: 'Vence',
  From: 'Desde',
  'In all': 'En total',
  'Paid on': 'Pagado el',
  'Paid with': 'Pagado con',
  'Payment method': 'Forma de pago',
  'Pay {amount}': 'Pagar {amount}',
  'Taken back from unit {unit}': 'Pago anulado en la unidad {unit}',
  // What the button of a mail says.
  'Open Billing Info': 'Abrir Facturación',
  'Update autopay': 'Actualizar el pago automático',
  'See your payments': 'Ver sus pagos',
  'See your units': 'Ver sus unidades',
  'See your gate code': 'Ver su código del portón',
  'See your license': 'Ver su licencia',
  'See your profile': 'Ver su perfil',
  'See your calendar': 'Ver su calendario',
  'See your passkeys': 'Ver sus llaves de acceso',
  'See where you are signed in': 'Ver dónde tiene la sesión iniciada',
  'File the renewed paper': 'Presentar el documento renovado',
  // What a debt does to the gate.
  'Unit {unitName}: pay {sum} to open the gate':
    'Unidad {unitName}: pague {sum} para abrir el portón',
  'The gate code of unit {unit} does not work until {sum} is paid.':
    'El código del portón de la unidad {unit} no funciona hasta que se paguen {sum}.',
  'The gate code of unit {unit} works through {day}. Pay {sum} by then to keep it.':
    'El código del portón de la unidad {unit} funciona hasta el {day}. Pague {sum} a más tardar ese día para conservarlo.',
  // Several in one.
  'These came shortly after each other, so they are in one email. The oldest is the first.':
    'Estos avisos llegaron casi al mismo tiempo y por eso van en un solo correo. El más antiguo es el primero.',
  '{count} receipts for your payments': '{count} recibos de sus pagos',
  '{count} changes to your autopay': '{count} cambios en su pago automático',
  '{count} payments by autopay were declined': '{count} pagos automáticos fueron rechazados',
  '{count} cards of your autopay expire soon':
    '{count} tarjetas de su pago automático vencen pronto',
  '{count} papers of your vehicles or vessels expire soon':
    '{count} documentos de sus vehículos o embarcaciones vencen pronto',
  '{count} changes to your payments': '{count} cambios en sus pagos',
  '{count} quotes': '{count} cotizaciones',
  '{count} notices about what is past due': '{count} avisos sobre importes vencidos',
  '{count} changes to your account': '{count} cambios en su cuenta',
  '{count} updates on your requests': '{count} novedades sobre sus solicitudes',
  // Receipts, refunds, and what banks and card issuers take back.
  'Receipt {number} for unit {unitName}': 'Recibo {number} de la unidad {unitName}',
  'Receipts for {count} units': 'Recibos de {count} unidades',
  'Receipts for units {names}': 'Recibos de las unidades {names}',
  'Receipt number': 'Número de recibo',
  'Your payment at {facilityName} was received.': 'Recibimos su pago en {facilityName}.',
  'Your autopay payment at {facilityName} was received.':
    'Recibimos su pago automático en {facilityName}.',
  'Your receipt is attached.': 'Su recibo va adjunto.',
  'Your receipts are attached.': 'Sus recibos van adjuntos.',
  'The first {count} receipts are attached.': 'Los primeros {count} recibos van adjuntos.',
  'The receipts of the other rentals are in Payment History.':
    'Los recibos de las demás unidades están en Historial de pagos.',
  'This bank payment is pending. It counts as paid now; your bank may still return it.':
    'Este pago bancario está pendiente. Ya cuenta como pagado, pero su banco aún puede devolverlo.',
  'Of this payment {sum} was refunded or taken back later; see the receipt.':
    'De este pago se reembolsaron o anularon {sum} después; consulte el recibo.',
  'Refund of {amount}': 'Reembolso de {amount}',
  Refund: 'Reembolso',
  '{facilityName} has refunded {amount} {way}.': '{facilityName} reembolsó {amount} {way}.',
  'to your {method}': 'a su {method}',
  'in cash': 'en efectivo',
  'by check {number}': 'con el cheque {number}',
  'Your bank returned your payment of {amount}': 'Su banco devolvió su pago de {amount}',
  'Your bank returned your payment for {units} at {facilityName}: {reason}. What it had paid is owed again.':
    'Su banco devolvió su pago de {units} en {facilityName}: {reason}. Lo que había pagado se debe de nuevo.',
  'Please pay in the portal with another card or account.':
    'Pague en el portal con otra tarjeta o cuenta.',
  'Your payment of {amount} is disputed': 'Su pago de {amount} está en disputa',
  'The issuer of your card has told us that {amount} of your payment at {facilityName} is disputed, and has taken the money back. What it had paid is owed again.':
    'El emisor de su tarjeta nos informó que {amount} de su pago en {facilityName} están en disputa, y retiró el dinero. Lo que había pagado se debe de nuevo.',
  'If you did not dispute it, {call}.': 'Si usted no lo disputó, {call}.',
  'The dispute about your payment of {amount} is over':
    'La disputa sobre su pago de {amount} terminó',
  'The dispute about {amount} of your payment at {facilityName} was decided: the payment stands. {credited} is credited to your account again.':
    'La disputa sobre {amount} de su pago en {facilityName} se resolvió: el pago sigue siendo válido. Se acreditaron de nuevo {credited} a su cuenta.',
  'The dispute about {amount} of your payment at {facilityName} was decided: the payment stands.':
    'La disputa sobre {amount} de su pago en {facilityName} se resolvió: el pago sigue siendo válido.',
  'Credited to unit {unit}': 'Acreditado a la unidad {unit}',
  // Autopay.
  'Autopay is on for unit {unitName}': 'Pago automático activado para la unidad {unitName}',
  'Autopay is set up for unit {unitName} at {facilityName}. This is the authorization that you gave; please keep it.':
    'El pago automático está activado para la unidad {unitName} en {facilityName}. Esta es la autorización que usted dio; consérvela.',
  'If you did not set up autopay, {call}.': 'Si usted no activó el pago automático, {call}.',
  'Autopay is off for {units}': 'Pago automático desactivado para {units}',
  'Autopay was switched off for {units} at {facilityName}. Nothing is charged automatically any more.':
    'El pago automático se desactivó para {units} en {facilityName}. Ya no se cobra nada automáticamente.',
  'A payment by the card was disputed with its issuer.':
    'Un pago con la tarjeta se disputó ante su emisor.',
  'The bank returned a payment: {reason}.': 'El banco devolvió un pago: {reason}.',
  'Autopay is off for {units} at {facilityName}, and nothing is charged automatically any more.':
    'El pago automático está desactivado para {units} en {facilityName} y ya no se cobra nada automáticamente.',
  'What is owed, and what becomes due, is yours to pay in the portal.':
    'Lo que se debe y lo que venza deberá pagarlo usted en el portal.',
  'If you did not switch it off, {call}.': 'Si usted no lo desactivó, {call}.',
  'You can set up autopay again with another card or account under Billing Info. If you have a question, {call}.':
    'Puede activar de nuevo el pago automático con otra tarjeta o cuenta en Facturación. Si tiene alguna pregunta, {call}.',
  'Autopay of {sum} for unit {unitName} was declined':
    'Se rechazó el pago automático de {sum} de la unidad {unitName}',
  'Autopay could not charge {sum} for unit {unitName} at {facilityName}.':
    'El pago automático no pudo cobrar {sum} de la unidad {unitName} en {facilityName}.',
  'We do not try this charge again. Please pay in the portal, and set up autopay with another payment method under Billing Info.':
    'No intentaremos este cobro de nuevo. Pague en el portal y active el pago automático con otra forma de pago en Facturación.',
  'We try again on {day}. You can pay before, or set up autopay with another payment method under Billing Info.':
    'Lo intentaremos de nuevo el {day}. Puede pagar antes o activar el pago automático con otra forma de pago en Facturación.',
  'The card of your autopay expires on {lastDay}':
    'La tarjeta de su pago automático vence el {lastDay}',
  '{method} pays for {units} at {facilityName} by autopay, and its last day is {lastDay}.':
    'El pago automático de {units} en {facilityName} se cobra con {method}, que vence el {lastDay}.',
  'The next charge is {sum} on {day}.': 'El próximo cobro es de {sum} el {day}.',
  'Please set up autopay with your new card; one change does for all units. If you have a question, {call}.':
    'Active el pago automático con su nueva tarjeta; un solo cambio sirve para todas las unidades. Si tiene alguna pregunta, {call}.',
  // Reminders, late notices and pay links.
  'Unit {unitName}: {sum} is due on {day}': 'Unidad {unitName}: su pago de {sum} vence el {day}',
  'Unit {unitName}: {sum} is due today, {day}':
    'Unidad {unitName}: su pago de {sum} vence hoy, {day}',
  'Unit {unitName}: pay {sum} by {lastDay} to keep your gate code':
    'Portón de la unidad {unitName}: pague {sum} a más tardar el {lastDay}',
  'The next bill of unit {unitName} at {facilityName} is due on {day}, and autopay does not pay it.':
    'La próxima factura de la unidad {unitName} en {facilityName} vence el {day}, y el pago automático no la cubre.',
  'The rent of unit {unitName} at {facilityName} is due today, {day}.':
    'La renta de la unidad {unitName} en {facilityName} vence hoy, {day}.',
  'What is owed on unit {unitName} at {facilityName} is still open. From {day} on your gate code will not work until it is paid.':
    'Lo que se debe por la unidad {unitName} en {facilityName} sigue pendiente. A partir del {day} su código del portón no funcionará hasta que se pague.',
  'To pay': 'Por pagar',
  'Next bill': 'Próxima factura',
  'Owed now': 'Se debe ahora',
  'Your gate code does not work until this is paid.':
    'Su código del portón no funciona hasta que esto se pague.',
  'Your gate code works through {day}, and after that again once this is paid.':
    'Su código del portón funciona hasta el {day} inclusive; después, solo funcionará cuando esto se pague.',
  'Sign in to pay or set up autopay': 'Iniciar sesión para pagar o activar el pago automático',
  'Sign in to pay with autopay': 'Iniciar sesión para pagar con el pago automático',
  'Sign in to set up autopay, or to pay in another way':
    'Iniciar sesión para activar el pago automático o pagar de otra forma',
  'The link works once, for {days} days and for this sum alone, without signing in. Whoever has it can pay, and sees no more than the sum.':
    'El enlace funciona una sola vez, durante {days} días y solo para este importe, sin iniciar sesión. Quien lo tenga puede pagar y no ve más que el importe.',
  'If you have paid in the meantime, you need to do nothing. If you have questions, {ask}.':
    'Si ya pagó, no tiene que hacer nada. Si tiene preguntas, {ask}.',
  'Stop reminders of this kind': 'Dejar de recibir estos recordatorios',
  'Unit {units}: {owed} is past due': 'Importe vencido de {units}: {owed}',
  'Hello {firstName},\n\n{owed} has been due since {owedSince} for {units} at {facility}. Please pay it in the portal or at the office.\n\nIf you have paid in the meantime, thank you. If you have a question, please call us at {phone}.':
    'Hola, {firstName}:\n\nTiene un importe vencido de {owed} desde el {owedSince} por {units} en {facility}. Páguelo en el portal o en la oficina.\n\nSi ya lo pagó, gracias. Si tiene alguna pregunta, llámenos al {phone}.',
  'the office': 'número de la oficina',
  '{sum}, due since {day}': '{sum}, vencidos desde el {day}',
  'See and pay in the portal': 'Ver y pagar en el portal',
  'Pay {amount} for {unitName}': 'Pague {amount} por la unidad {unitName}',
  '{amount} is owed on {unitName} at {facilityName}. With this link you can pay it by card or bank account, without signing in:':
    'Se deben {amount} por la unidad {unitName} en {facilityName}. Con este enlace puede pagarlos con tarjeta o cuenta bancaria, sin iniciar sesión:',
  'The link works once, for {days} days, and for this sum alone: nothing is saved, and autopay is not set up. Whoever has it can pay, and sees no more than the sum.':
    'El enlace funciona una sola vez, durante {days} días y solo para este importe: no se guarda nada ni se activa el pago automático. Quien lo tenga puede pagar y no ve más que el importe.',
  // The rental.
  'A change to your account at {name}': 'Un cambio en su cuenta en {name}',
  '{name} has posted this to your account.': '{name} registró lo siguiente en su cuenta.',
  'Credit of unit {unit}': 'Saldo a favor de la unidad {unit}',
  'Balance of unit {unit}': 'Saldo de la unidad {unit}',
  'Final statement of unit {unitName}': 'Estado de cuenta final de la unidad {unitName}',
  'Your rental of unit {unitName} at {name} ended on {day}.':
    'Su alquiler de la unidad {unitName} en {name} terminó el {day}.',
  'Balance before': 'Saldo anterior',
  'Please pay {sum}: {ask}.': 'Debe pagar {sum}: {ask}.',
  '{sum} goes back to the card or account that it was paid with.':
    'Se devuelven {sum} a la tarjeta o cuenta con que se pagó.',
  'The facility gives {sum} back to you.': 'El centro le devuelve {sum}.',
  'If something is wrong with it, {ask}.': 'Si algo no es correcto, {ask}.',
  '{person} can open the gate for unit {unitName} at {name}':
    '{person} puede abrir el portón para el espacio {unitName} en {name}',
  '{name} has given {person} a gate code for unit {unitName}. It ends with your rental.':
    '{name} le dio a {person} un código del portón para el espacio {unitName}. Termina con su alquiler.',
  'Your proof of insurance for unit {unitName} at {name} was accepted':
    'Se aceptó su comprobante de seguro para la unidad {unitName} en {name}',
  'Your proof of insurance for unit {unitName} at {name} was refused':
    'Se rechazó su comprobante de seguro para la unidad {unitName} en {name}',
  '{name} has accepted policy {policyNumber} of {company} as your proof of insurance for unit {unitName}.':
    '{name} aceptó la póliza {policyNumber} de {company} como comprobante de seguro para la unidad {unitName}.',
  '{name} has not accepted policy {policyNumber} of {company} as your proof of insurance for unit {unitName}:':
    '{name} no aceptó la póliza {policyNumber} de {company} como comprobante de seguro para la unidad {unitName}:',
  'Please give another proof or add a protection plan.':
    'Envíe otro comprobante o agregue un plan de protección.',
  'See your insurance': 'Ver su seguro',
  '{count} answers to your proofs of insurance': '{count} respuestas a sus comprobantes de seguro',
  'The gate code of unit {unitName} at {name} has changed':
    'Cambió el código del portón de la unidad {unitName} en {name}',
  '{name} has changed the gate code of unit {unitName}. The old code no longer opens the gate. The portal shows the new one while the gate is open to you.':
    '{name} cambió el código del portón de la unidad {unitName}. El código anterior ya no abre el portón. El portal muestra el nuevo mientras usted tenga acceso.',
  'Quote for unit {unitName} from {day}: {sum}':
    'Cotización de la unidad {unitName} desde el {day}: {sum}',
  'This is what a rental of unit {unitName} at {facilityName} from {day} costs: {rate} a month, and this first bill.':
    'Esto cuesta alquilar la unidad {unitName} en {facilityName} desde el {day}: {rate} al mes y esta primera factura.',
  '{entry}, due {day}': '{entry}, vence el {day}',
  'First bill in all': 'Total de la primera factura',
  'The unit is not reserved, and the prices are those of today. To rent it, {ask}.':
    'La unidad no está reservada y los precios son los de hoy. Para alquilarla, {ask}.',
  'less {sum} discount': 'menos {sum} de descuento',
  'with {sum} tax': 'con {sum} de impuestos',
  'The rent of unit {unitName} changes on {day}':
    'La renta de la unidad {unitName} cambia el {day}',
  'The rent of unit {unitName} at {facilityName} changes with the first bill that is due on {day} or later.':
    'La renta de la unidad {unitName} en {facilityName} cambia a partir de la primera factura que venza el {day} o después.',
  'This takes the place of the change to {sum} from {day}, of which you have an earlier notice: that one does not come.':
    'Este cambio sustituye el cambio a {sum} desde el {day}, del que usted ya recibió un aviso: aquel no se aplica.',
  'Rent now': 'Renta actual',
  'New rent': 'Nueva renta',
  'Your first bill at the new rent, due on {dueOn}:':
    'Su primera factura con la nueva renta, que vence el {dueOn}:',
  Service: 'Servicio',
  'Tax on rent': 'Impuesto sobre el alquiler',
  'Tax on protection plan': 'Impuesto sobre el plan de protección',
  'Tax on card fee': 'Impuesto sobre el cargo por tarjeta',
  'Tax on service': 'Impuesto sobre el servicio',
  'Tax on deposit': 'Impuesto sobre el depósito',
  'Autopay is on: {method} will be charged what is due on {dueOn}, {sum} if nothing else changes. You can switch autopay off under Billing Info until that day.':
    'El pago automático está activado: lo que vence el {dueOn} se cobrará con {method}: {sum} si nada más cambia. Puede desactivar el pago automático en Facturación antes de ese día.',
  'The rent of unit {unitName} does not change on {day}':
    'La renta de la unidad {unitName} no cambia el {day}',
  'The change of the rent of unit {unitName} at {name} to {sum} from {day} is cancelled. Your rent stays {rate}.':
    'Se canceló el cambio de la renta de la unidad {unitName} en {name} a {sum} a partir del {day}. Su renta sigue siendo de {rate}.',
  'Your statement for {month}': 'Su estado de cuenta de {month}',
  'Your statement for {month} at {facilityName} is attached. It lists everything that was charged and paid.':
    'Su estado de cuenta de {month} en {facilityName} va adjunto. Incluye todos los cargos y pagos.',
  'Statement number': 'Número de estado de cuenta',
  'Unit {unitName} at {name} is locked': 'La unidad {unitName} en {name} está bloqueada',
  'Unit {unitName} at {name} is no longer locked':
    'La unidad {unitName} en {name} ya no está bloqueada',
  '{name} has locked unit {unitName}. To resolve it, {ask}.':
    '{name} bloqueó la unidad {unitName}. Para resolverlo, {ask}.',
  '{name} has taken its lock off unit {unitName}.':
    '{name} quitó su candado de la unidad {unitName}.',
  'The portal shows your gate code, unless what is owed keeps the gate shut.':
    'El portal muestra su código del portón, salvo que lo que se debe mantenga el portón cerrado.',
  'You stay in unit {fromUnit} at {name}': 'Usted sigue en la unidad {fromUnit} en {name}',
  'The move to unit {toUnit} on {day} is cancelled. Your rental stays in unit {fromUnit}.':
    'Se canceló el traslado a la unidad {toUnit} previsto para el {day}. Su alquiler sigue en la unidad {fromUnit}.',
  'Your unit at {name} is {toUnit} from {day}': 'Su unidad en {name} es {toUnit} desde el {day}',
  'From {day} your rental is in unit {toUnit}, and no longer in unit {fromUnit}. Your gate code, balance and autopay stay as they are.':
    'Desde el {day} su alquiler está en la unidad {toUnit} y ya no en la unidad {fromUnit}. Su código del portón, su saldo y su pago automático siguen igual.',
  'The rent is {sum} from the first bill on or after {day}.':
    'La renta es de {sum} a partir de la primera factura que venza el {day} o después.',
  'The insurance on file for unit {unitName} expires on {lastDay}':
    'El seguro registrado de la unidad {unitName} vence el {lastDay}',
  'The registration on file for unit {unitName} expires on {lastDay}':
    'El registro del vehículo de la unidad {unitName} vence el {lastDay}',
  'The insurance of the vehicle or vessel in unit {unitName} at {facilityName} is valid until {lastDay}.':
    'El seguro del vehículo o la embarcación en la unidad {unitName} en {facilityName} es válido hasta el {lastDay}.',
  'The registration of the vehicle or vessel in unit {unitName} at {facilityName} is valid until {lastDay}.':
    'El registro del vehículo o la embarcación en la unidad {unitName} en {facilityName} es válido hasta el {lastDay}.',
  'The insurance of {vehicle} in unit {unitName} at {facilityName} is valid until {lastDay}.':
    'El seguro de {vehicle} en la unidad {unitName} en {facilityName} es válido hasta el {lastDay}.',
  'The registration of {vehicle} in unit {unitName} at {facilityName} is valid until {lastDay}.':
    'El registro de {vehicle} en la unidad {unitName} en {facilityName} es válido hasta el {lastDay}.',
  'Please file the renewed one, as a photo or a PDF. If you have a question, {call}.':
    'Presente el documento renovado, como foto o PDF. Si tiene alguna pregunta, {call}.',
  // Requests.
  'Your request {reference}: {status}': 'Su solicitud {reference}: {status}',
  'Reply to your request {reference}': 'Respuesta a su solicitud {reference}',
  'Your request {reference} ({about}) at {name} has a new status.':
    'Su solicitud {reference} ({about}) en {name} tiene un nuevo estado.',
  '{name} replied to your request {reference} ({about}):':
    '{name} respondió a su solicitud {reference} ({about}):',
  'Status: {status}': 'Estado: {status}',
  'See your requests': 'Ver sus solicitudes',
  'This email cannot be answered. If something is still open, {ask}.':
    'Este correo no se puede responder. Si queda algo pendiente, {ask}.',
  '{title}, unit {unitName}': '{title}, unidad {unitName}',
  'Autopay changed from card to ACH': 'Pago automático cambiado de tarjeta a ACH',
  'ACH payment': 'Pago por ACH',
  // The account.
  "A driver's license was added to your account": 'Se agregó una licencia de conducir a su cuenta',
  'A phone number was added to your account': 'Se agregó un número de teléfono a su cuenta',
  "A driver's license was added to your account at {facilityName}.":
    'Se agregó una licencia de conducir a su cuenta en {facilityName}.',
  'A phone number was added to your account at {facilityName}.':
    'Se agregó un número de teléfono a su cuenta en {facilityName}.',
  'If you did not add it, {call}.': 'Si usted no hizo este cambio, {call}.',
  'Your verification code': 'Su código de verificación',
  'Your verification code for {name} is:': 'Su código de verificación para {name} es:',
  'It is good for {minutes} minutes, only where it was asked for. If you did not ask for it, you can ignore this email: without the code nothing changes.':
    'Es válido por {minutes} minutos, solo donde se pidió. Si usted no lo pidió, puede ignorar este correo: sin el código nada cambia.',
  'Your email address is not on file': 'Su correo electrónico no está registrado',
  'An account was looked up for this email address, but the address is not on file at {name}.':
    'Se buscó una cuenta con este correo electrónico, pero no está registrado en {name}.',
  'If you rent there, {ask} to have it added, and then sign up again.':
    'Si alquila ahí, {ask} para que lo agreguen y luego regístrese de nuevo.',
  'If you did not ask for this, you can ignore this email.':
    'Si usted no lo pidió, puede ignorar este correo.',
  'Please ask us who may sign in': 'Pregúntenos quién puede iniciar sesión',
  'An account was looked up for this email address. At {name} it is on file for more than one name, so it shows no account until we know who may see which.':
    'Se buscó una cuenta con este correo electrónico. En {name} está registrado a más de un nombre, así que no muestra ninguna cuenta hasta que sepamos quién puede ver cuál.',
  'To sign up, {ask} to have that set, or to have an address of your own added.':
    'Para registrarse, {ask} para que lo indiquen o agreguen un correo propio.',
  'Welcome to your account': 'Le damos la bienvenida a su cuenta',
  'Your account at {name} is set up. Sign in with this email address and your new password to see your units, pay, and get your gate code.':
    'Su cuenta en {name} está lista. Inicie sesión con este correo electrónico y su nueva contraseña para ver sus unidades, pagar y obtener su código del portón.',
  'If this was not you, {ask} right away.': 'Si no fue usted, {ask} de inmediato.',
  'Your password was changed': 'Se cambió su contraseña',
  'The password for your account at {name} was changed, and you were signed out everywhere.':
    'Se cambió la contraseña de su cuenta en {name} y se cerraron todas sus sesiones.',
  'Your account at {name}': 'Su cuenta en {name}',
  'You can now see your rentals at {name} and pay for them online. Choose {name}, {address}, and enter this email address. You get a code by email, and then you choose a password. If you sign in with this address already, do the same: the rentals are added to what you see.':
    'Ya puede ver sus alquileres en {name} y pagarlos en línea. Elija {name}, {address}, y escriba este correo electrónico. Recibirá un código por correo y luego elegirá una contraseña. Si ya inicia sesión con este correo, haga lo mismo: los alquileres se agregan a lo que ve.',
  'If you do not rent there, you can ignore this email, or {ask}.':
    'Si no alquila ahí, puede ignorar este correo, o {ask}.',
  'Your sign-in was disabled': 'Se desactivó su acceso al portal',
  'Your sign-in was enabled': 'Se activó su acceso al portal',
  'Your sign-in at {name} was disabled, and you were signed out everywhere. What you rent, owe and have on autopay stays as it is.':
    'Se desactivó su acceso al portal de {name} y se cerraron todas sus sesiones. Lo que alquila, lo que debe y su pago automático siguen igual.',
  'Your sign-in at {name} was enabled again. Your password is the one that you had.':
    'Se activó de nuevo su acceso al portal de {name}. Su contraseña es la que tenía.',
  'A passkey was added': 'Se agregó una llave de acceso',
  'A passkey was removed': 'Se quitó una llave de acceso',
  'The passkey “{name}” was added to your account at {facilityName}. Whoever can unlock the device or password manager that keeps it can sign in to the account without your password.':
    'La llave de acceso “{name}” se agregó a su cuenta en {facilityName}. Quien pueda desbloquear el dispositivo o el administrador de contraseñas que la guarda puede iniciar sesión en la cuenta sin su contraseña.',
  'The passkey “{name}” was removed from your account at {facilityName}. It signs in no longer.':
    'La llave de acceso “{name}” se quitó de su cuenta en {facilityName}. Ya no sirve para iniciar sesión.',
  'If this was not you, choose “Forgot password” to set a new password, which signs everybody out and removes all passkeys, and {ask}.':
    'Si no fue usted, elija “¿Olvidó su contraseña?” para crear una nueva contraseña, lo que cierra todas las sesiones y quita todas las llaves de acceso, y {ask}.',
  'A new sign-in to your account': 'Un nuevo inicio de sesión en su cuenta',
  'Somebody signed in to your account at {name} from a network that was not used for it in the last month. If it was you, there is nothing to do.':
    'Alguien inició sesión en su cuenta en {name} desde una red que no se usó para ella en el último mes. Si fue usted, no tiene que hacer nada.',
  'If it was not you, choose “Forgot password” to set a new password, which signs everybody out, and {ask}.':
    'Si no fue usted, elija “¿Olvidó su contraseña?” para crear una nueva contraseña, lo que cierra todas las sesiones, y {ask}.',
  'Your email address at {name} was changed': 'Se cambió su correo electrónico en {name}',
  'Another email address is now on file for your rental at {name}. This address does not show that rental any more, and it was signed out everywhere. Rentals under other records stay as they are.':
    'Ahora hay otro correo electrónico registrado para su alquiler en {name}. Con este correo ya no se ve ese alquiler, y se cerraron todas sus sesiones. Los alquileres de otros registros siguen igual.',
  'If you did not ask for this, {ask} right away.': 'Si usted no lo pidió, {ask} de inmediato.',
  'This email address is now on file for a rental at {name}.':
    'Este correo electrónico ahora está registrado para un alquiler en {name}.',
  'To see the rental and pay for it online, choose {name}, {address}, and enter this email address. You get a code by email, and then you choose a password. If you sign in with this address already, do the same: the rental is added to what you see.':
    'Para ver el alquiler y pagarlo en línea, elija {name}, {address}, y escriba este correo electrónico. Recibirá un código por correo y luego elegirá una contraseña. Si ya inicia sesión con este correo, haga lo mismo: el alquiler se agrega a lo que ve.',
  'If you do not rent there, {ask}.': 'Si no alquila ahí, {ask}.',
  'Somebody asked to change your email address at {name}':
    'Alguien pidió cambiar su correo electrónico en {name}',
  'Somebody who is signed in as you asked {name} to change your email address to {email} ({reference}). If that was you, nothing else is needed.':
    'Alguien que inició sesión con su cuenta pidió a {name} que cambie su correo electrónico a {email} ({reference}). Si fue usted, no hace falta nada más.',
  'I did not ask for this': 'Yo no lo pedí',
  'The link works for {days} days. If you did not ask for this, use it, choose a new password with “Forgot password”, and {ask}.':
    'El enlace funciona durante {days} días. Si usted no lo pidió, úselo, elija una nueva contraseña con “¿Olvidó su contraseña?” y {ask}.',
  'Your private calendar was made': 'Se creó su calendario privado',
  'A private calendar with your due dates at {facilityName} was made in your account. Whoever has its address can read it, so keep the address to yourself. You can remove the calendar at any time, under Account Management.':
    'Se creó en su cuenta un calendario privado con sus fechas de vencimiento en {facilityName}. Quien tenga su dirección puede leerlo, así que no la comparta. Puede quitar el calendario en cualquier momento, en Administrar la cuenta.',
  'If this was not you, set a new password, which also removes the calendar, and {ask}.':
    'Si no fue usted, cree una nueva contraseña, lo que también quita el calendario, y {ask}.',
} as const;
