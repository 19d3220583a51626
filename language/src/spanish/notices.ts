/** Text messages, papers, pages of the server, and what the books call their entries. */
export const notices = {
  // Entries of the ledger (contract/src/entry-names.ts).
  Rent: 'Renta',
  'Rent {period}': 'Renta {period}',
  'Protection plan {period}': 'Plan de protección {period}',
  'Card fee': 'Cargo por tarjeta',
  'Late fee': 'Cargo por mora',
  'Returned payment fee': 'Cargo por pago devuelto',
  'Returned check fee': 'Cargo por cheque devuelto',
  Deposit: 'Depósito',
  Discount: 'Descuento',
  Taxes: 'Impuestos',
  Payment: 'Pago',
  Cash: 'Efectivo',
  Card: 'Tarjeta',
  Credit: 'Saldo a favor',
  Waiver: 'Condonación',
  'Check {number}': 'Cheque {number}',
  'Money order {number}': 'Giro postal {number}',
  'Card dispute won': 'Disputa de tarjeta ganada',
  'Deposit given back': 'Depósito devuelto',
  'Waived: {entry}': 'Condonado: {entry}',
  'Written off: {entry}': 'Dado de baja: {entry}',
  'Not rented any more: {entry}': 'Ya no se alquila: {entry}',
  'Unused days {period}': 'Días sin usar {period}',
  'Unused days {period}: {entry}': 'Días sin usar {period}: {entry}',
  'Moved from unit {unit}': 'Transferido de la unidad {unit}',
  'Moved to the next tenant': 'Transferido al siguiente inquilino',
  'Moved from the tenant before': 'Transferido del inquilino anterior',
  'Moved to unit {unit}': 'Transferido a la unidad {unit}',
  '{entry} before it was refunded': '{entry} antes de que se reembolsara el pago',
  '{entry} before it was taken back': '{entry} antes de que se anulara el pago',
  'Bank debit not collected': 'Débito bancario no cobrado',
  Chargeback: 'Contracargo',
  'Disputed with the card issuer': 'Disputado ante el emisor de la tarjeta',
  'Insufficient funds': 'Fondos insuficientes',
  'Recorded by mistake': 'Registrado por error',
  'Refunded in cash': 'Reembolsado en efectivo',
  'Refunded by check {number}': 'Reembolsado con el cheque {number}',
  'Paid out in cash': 'Pagado en efectivo',
  'Paid out by check {number}': 'Pagado con el cheque {number}',
  'Refunded: {reason}': 'Reembolsado: {reason}',
  'by the facility': 'por el centro de almacenamiento',
  'by the operator at the payment gateway': 'por el operador en el sistema de pagos',
  'Returned by the bank: {reason}': 'Devuelto por el banco: {reason}',
  'insufficient funds': 'fondos insuficientes',
  // Papers.
  Tenant: 'Inquilino',
  Facility: 'Centro de almacenamiento',
  Entry: 'Movimiento',
  Charge: 'Cargo',
  Charged: 'Cargado',
  Price: 'Precio',
  'Page {page} of {count}': 'Página {page} de {count}',
  'Paid by': 'Pagado por',
  '{method} (autopay)': '{method} (pago automático)',
  'Part of': 'Parte de',
  'one payment of {sum} for several units': 'un pago de {sum} por varias unidades',
  'What this payment paid': 'Lo que cubrió este pago',
  'Credit on your account': 'Saldo a favor en su cuenta',
  'Total paid': 'Total pagado',
  'Owed before': 'Se debía antes',
  'Owed after': 'Se debe después',
  'This payment was returned by the bank on {day}: {entry}.':
    'El banco devolvió este pago el {day}: {entry}.',
  'This payment was refunded on {day}: {entry}.': 'Este pago se reembolsó el {day}: {entry}.',
  'This payment was taken back on {day}: {entry}.': 'Este pago se anuló el {day}: {entry}.',
  'This payment was disputed with the card issuer on {day}: {entry}.':
    'Este pago se disputó ante el emisor de la tarjeta el {day}: {entry}.',
  'This payment was disputed with the card issuer on {day}, and the dispute was decided for you.':
    'Este pago se disputó ante el emisor de la tarjeta el {day}, y la disputa se resolvió a favor de usted.',
  'This payment was moved to another unit on {day}: {entry}.':
    'Este pago se transfirió a otra unidad el {day}: {entry}.',
  '{sum} of this payment was returned by the bank on {day}: {entry}.':
    'El banco devolvió {sum} de este pago el {day}: {entry}.',
  '{sum} of this payment was refunded on {day}: {entry}.':
    'Se reembolsaron {sum} de este pago el {day}: {entry}.',
  '{sum} of this payment was taken back on {day}: {entry}.':
    'Se anularon {sum} de este pago el {day}: {entry}.',
  '{sum} of this payment was disputed with the card issuer on {day}: {entry}.':
    'Se disputaron {sum} de este pago ante el emisor de la tarjeta el {day}: {entry}.',
  '{sum} of this payment was disputed with the card issuer on {day}, and the dispute was decided for you.':
    'Se disputaron {sum} de este pago ante el emisor de la tarjeta el {day}, y la disputa se resolvió a favor de usted.',
  'The dispute was decided for the facility on {day}: {sum} counts again.':
    'La disputa se resolvió a favor del centro el {day}: {sum} cuentan de nuevo.',
  '{sum} of this payment was moved to another unit on {day}: {entry}.':
    'Se transfirieron {sum} de este pago a otra unidad el {day}: {entry}.',
  Statement: 'Estado de cuenta',
  'Statement for {month}': 'Estado de cuenta de {month}',
  '{from} to {to}': '{from} a {to}',
  'Owed at the beginning': 'Se debía al inicio',
  'Owed at the end': 'Se debía al final',
  'Paid or credited': 'Pagado o acreditado',
  'Payment, {entry}, receipt {number}': 'Pago, {entry}, recibo {number}',
  'First day that is not rented': 'Primer día sin alquiler',
  'Goes back to the card or account that it was paid with':
    'Se devuelve a la tarjeta o cuenta con que se pagó',
  'Given back by the facility': 'Lo devuelve el centro',
  'Payments in {year}': 'Pagos en {year}',
  'Returned or refunded': 'Devuelto o reembolsado',
  'Paid in {year} in all': 'Total pagado en {year}',
  'What was paid for': 'Conceptos pagados',
  'Taxes are included': 'Impuestos incluidos',
  'Owed again': 'Se debe de nuevo',
  'Not used for a charge in {year}': 'No aplicado a un cargo en {year}',
  'Less what was not used before {year}': 'Menos lo no aplicado antes de {year}',
  'Day and payment': 'Día y pago',
  '{entry}, receipt {number}': '{entry}, recibo {number}',
  'A payment that came in {year} can still be recorded until {day}.':
    'Un pago que llegó en {year} aún puede registrarse hasta el {day}.',
  'This year is not over: it has the payments through {day}.':
    'Este año no ha terminado: incluye los pagos hasta el {day}.',
  'Protection plans': 'Planes de protección',
  Services: 'Servicios',
  Fees: 'Cargos',
  Deposits: 'Depósitos',
  // Text messages: a text has the letters of GSM 03.38, and á, í, ó and ú become a, i, o and u.
  'Reply STOP to end': 'Envíe STOP para cancelar',
  '{sum} is due on {day}.': '{sum} vence el {day}.',
  '{sum} is due today, {day}.': '{sum} vence hoy, {day}.',
  'pay {sum} by {day} to keep your gate code.':
    'pague {sum} a más tardar el {day} para usar el portón.',
  '{facilityName}: {code} is your code for reminders by text, good for {minutes} minutes. Reply STOP to end':
    '{facilityName}: {code} es su código para recordatorios por texto, válido por {minutes} minutos. Envíe STOP para cancelar',
  '{facilityName}: reminders by text are on, up to {count} a month for each unit. Msg & data rates may apply. Reply HELP for help, STOP to end':
    '{facilityName}: recordatorios por texto activos, hasta {count} al mes por unidad. Pueden aplicarse tarifas de msj y datos. HELP: ayuda, STOP: cancelar',
  '{operatorName}: you get no more reminders by text. Text START to get them again.':
    '{operatorName}: ya no recibirá recordatorios por texto. Envíe START para recibirlos de nuevo.',
  '{operatorName}: reminders of rent by text. Visit {url}. Msg & data rates may apply. Reply STOP to end':
    '{operatorName}: recordatorios de renta. Ayuda: {url}. Pueden aplicarse tarifas de msj y datos. STOP para cancelar',
  '{operatorName}: reminders of rent by text. Visit {url} or call {phone}. Msg & data rates may apply. Reply STOP to end':
    '{operatorName}: recordatorios de renta. Ayuda: {url} o {phone}. Pueden aplicarse tarifas de msj y datos. STOP para cancelar',
  'I agree that {operatorName} sends automated reminders about {facilityName} by text message to {phone}: before rent is due, on the day, and before the gate closes, up to {count} a month for each unit.':
    'Acepto que {operatorName} envíe recordatorios automáticos sobre {facilityName} por mensaje de texto al {phone}: antes de que venza la renta, el mismo día y antes de que se cierre el portón, hasta {count} al mes por cada unidad.',
  'Message and data rates may apply.': 'Pueden aplicarse tarifas de mensajes y datos.',
  'Reply STOP to end, HELP for help.': 'Envíe STOP para cancelar, HELP para recibir ayuda.',
  'Reply STOP to end, HELP for help, or call {phone}.':
    'Envíe STOP para cancelar, HELP para recibir ayuda, o llame al {phone}.',
  'My consent is not a condition of renting or of paying.':
    'Mi consentimiento no es una condición para alquilar ni para pagar.',
  // Pages of the server.
  'This did not work': 'Esto no funcionó',
  'This link is not whole. Please open it from the email again, or copy all of it.':
    'Este enlace no está completo. Ábralo de nuevo desde el correo o cópielo entero.',
  'This link is too old: it worked for {days} days. Please call the facility.':
    'Este enlace es demasiado antiguo: funcionó durante {days} días. Llame al centro.',
  'Reminders · {facilityName}': 'Recordatorios · {facilityName}',
  'rent that is due in a few days': 'la renta que vence en unos días',
  'rent that is due on the day': 'la renta que vence ese mismo día',
  'a gate that is about to close': 'el portón que está por cerrarse',
  'These reminders are stopped': 'Estos recordatorios se detuvieron',
  'You get no more emails about {what}.': 'Ya no recibirá correos sobre {what}.',
  'Receipts, notices and other emails still come. To get these reminders again, sign in and open Account Management.':
    'Seguirá recibiendo recibos, avisos y otros correos. Para recibir estos recordatorios de nuevo, inicie sesión y abra Administrar la cuenta.',
  'Stop these reminders?': '¿Detener estos recordatorios?',
  'You then get no more emails about {what}. Receipts and notices still come.':
    'Ya no recibirá correos sobre {what}. Seguirá recibiendo recibos y avisos.',
  'Stop these reminders': 'Detener estos recordatorios',
  'If you want to keep them, close this page.':
    'Si quiere seguir recibiéndolos, cierre esta página.',
  'Did you ask for another email address?': '¿Pidió usted otro correo electrónico?',
  'If you did not, stop it here: the facility is asked to keep your record as it is, and every device that is signed in as you is signed out.':
    'Si no lo pidió, deténgalo aquí: se pedirá al centro que deje sus datos como están y se cerrará su sesión en todos los dispositivos.',
  'If you did ask, close this page: nothing else is needed.':
    'Si lo pidió, cierre esta página: no hace falta nada más.',
  'Your objection is recorded': 'Su objeción quedó registrada',
  'The facility was asked to keep your record as it is ({reference}). Every device is signed out.':
    'Se pidió al centro que deje sus datos como están ({reference}). Se cerró la sesión en todos los dispositivos.',
  'Choose a new password with “Forgot password” on the sign-in page now. If your email address was changed already, {ask}.':
    'Elija ahora una nueva contraseña con “¿Olvidó su contraseña?” en la página de inicio de sesión. Si su correo electrónico ya se cambió, {ask}.',
} as const;
