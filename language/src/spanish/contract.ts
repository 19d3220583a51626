/** What the contract says: faults of fields and calls, labels, the consent to autopay, the gate. */
export const contract = {
  // Faults of any field.
  '{label} is required.': 'El campo {label} es obligatorio.',
  '{label} is too long.': 'El campo {label} es demasiado largo.',
  '{label} must be text.': 'El campo {label} debe ser un texto.',
  '{label} contains an invisible character ({character}). Please type the address instead of pasting it.':
    'El campo {label} contiene un carácter invisible ({character}). Escriba la dirección en lugar de pegarla.',
  '{label} must look like name@example.com.':
    'El campo {label} debe tener la forma nombre@ejemplo.com.',
  'A text is too long.': 'Un texto es demasiado largo.',
  // What fields are called in them.
  File: 'Archivo',
  'Policy company': 'Aseguradora',
  'Policy number': 'Número de póliza',
  'Expiration date': 'Fecha de vencimiento',
  'Issue type': 'Tipo de problema',
  'Card type': 'Tipo de tarjeta',
  'Card number': 'Número de tarjeta',
  'Security code': 'Código de seguridad',
  'Expiration month': 'Mes de vencimiento',
  'Expiration year': 'Año de vencimiento',
  'Name on card': 'Nombre en la tarjeta',
  'Street address': 'Dirección',
  'Billing zip': 'Código postal de facturación',
  'Account type': 'Tipo de cuenta',
  'Account number': 'Número de cuenta',
  'Routing number': 'Número de ruta',
  'Payment token': 'Token de pago',
  'Corporation code': 'Código de la empresa',
  Location: 'Centro',
  "Driver's license number": 'Número de licencia de conducir',
  "Driver's license state": 'Estado que emitió la licencia',
  'First name': 'Nombre',
  'Last name': 'Apellido',
  'Postal code': 'Código postal',
  Consent: 'Consentimiento',
  Contents: 'Contenido',
  'License plate': 'Placa',
  // Faults of one field.
  'Answer is required.': 'La respuesta es obligatoria.',
  'Answer is too long.': 'La respuesta es demasiado larga.',
  'Coverage amount must be a number.': 'El importe de la cobertura debe ser un número.',
  'Coverage amount must be above $0.00.': 'El importe de la cobertura debe ser mayor que $0.00.',
  'Coverage amount is too large.': 'El importe de la cobertura es demasiado alto.',
  'Coverage amount must have at most two decimals.':
    'El importe de la cobertura debe tener dos decimales como máximo.',
  'Expiration date must be tomorrow or later.':
    'La fecha de vencimiento debe ser mañana o posterior.',
  'Amount must be a number.': 'El importe debe ser un número.',
  'Amount must be above $0.00.': 'El importe debe ser mayor que $0.00.',
  'Amount is too large.': 'El importe es demasiado alto.',
  'Amount must have at most two decimals.': 'El importe debe tener dos decimales como máximo.',
  'Date must be a day of the calendar, such as 2026-12-31.':
    'La fecha debe ser un día del calendario, como 2026-12-31.',
  'Card number must be 14 to 16 digits.': 'El número de tarjeta debe tener de 14 a 16 dígitos.',
  'Security code must be 3 or 4 digits.': 'El código de seguridad debe tener 3 o 4 dígitos.',
  'Routing number must be exactly 9 digits.': 'El número de ruta debe tener exactamente 9 dígitos.',
  'This card has expired. Please enter another one.': 'Esta tarjeta ha vencido. Ingrese otra.',
  'Phone must have 10 digits.': 'El teléfono debe tener 10 dígitos.',
  'Phone must be a number in use, such as (817) 555-0142 or +45 32 12 34 56.':
    'El teléfono debe ser un número en uso, como (817) 555-0142 o +45 32 12 34 56.',
  'Password must have at most {most} characters.':
    'La contraseña debe tener {most} caracteres como máximo.',
  'Password must have at least {least} characters.':
    'La contraseña debe tener {least} caracteres como mínimo.',
  'The verification code is invalid': 'El código de verificación no es válido',
  "Driver's license number and state belong together.":
    'El número y el estado de la licencia de conducir van juntos.',
  'Give at least one field to change.': 'Indique al menos un dato que desee cambiar.',
  'Contents must be vehicle, boat or none, a colon and a value.':
    'El contenido debe ser vehicle, boat o none, dos puntos y un valor.',
  'A vehicle needs its VIN and a boat its HIN.':
    'Un vehículo necesita su VIN y una embarcación su HIN.',
  'This paper has expired. Please file one that is still valid.':
    'Este documento ha vencido. Presente uno que siga vigente.',
  // Faults of calls.
  'The device token must be text.': 'El token del dispositivo debe ser un texto.',
  'The device token is too long.': 'El token del dispositivo es demasiado largo.',
  'The image must be a data URL.': 'La imagen debe ser una URL de datos.',
  'The file must be a data URL.': 'El archivo debe ser una URL de datos.',
  'The passkey’s answer is not complete.': 'La respuesta de la llave de acceso no está completa.',
  'The passkey’s answer is too long.': 'La respuesta de la llave de acceso es demasiado larga.',
  'Keep for autopay must be true or false.': 'Keep for autopay debe ser true o false.',
  'Give either creditCard or ach.': 'Indique creditCard o ach, no ambos.',
  'Months ahead must be a whole number.': 'Los meses por adelantado deben ser un número entero.',
  'Months ahead must be 1 or more.': 'Los meses por adelantado deben ser 1 o más.',
  'Months ahead must be {most} at most.': 'Los meses por adelantado deben ser {most} como máximo.',
  'Send an amount or months ahead.': 'Envíe un importe o los meses por adelantado.',
  'Payments must be a list.': 'Los pagos deben ser una lista.',
  'Payments must name at least one unit.': 'Los pagos deben indicar al menos una unidad.',
  'Payments must name at most {most} units.':
    'Los pagos deben indicar {most} unidades como máximo.',
  'The token must be text.': 'El token debe ser un texto.',
  'The token is too long.': 'El token es demasiado largo.',
  'There is no reminder of this kind.': 'No hay recordatorios de este tipo.',
  'IsOn must be true or false.': 'IsOn debe ser true o false.',
  'Consent must be the text that you agree to.':
    'El consentimiento debe ser el texto que usted acepta.',
  'Paper must be registration or insurance.': 'El documento debe ser registration o insurance.',
  // Facilities and their gates.
  '{city}, {region} at {street}': '{city}, {region} en {street}',
  '(Left Entrance - TXDFW03)': '(Entrada izquierda - TXDFW03)',
  '(Right Entrance – TXDFW03A)': '(Entrada derecha – TXDFW03A)',
  'Please call facility to resolve!': '¡Llame al centro para resolverlo!',
  'Balance Due!': '¡Saldo por pagar!',
  'Pay {amount} to open the gate.': 'Pague {amount} para abrir el portón.',
  'Or pay {amount} to open the gate.': 'O pague {amount} para abrir el portón.',
  'Pay {amount} by {date} to keep your gate access':
    'Pague {amount} a más tardar el {date} para conservar su acceso al portón',
  'Your bank payment is on its way. The gate opens when it has settled, about {day}.':
    'Su pago bancario está en camino. El portón se abrirá cuando se acredite, hacia el {day}.',
  'Business Hours (6am - 10pm)': 'Horario comercial (6\u00a0a.\u00a0m. - 10\u00a0p.\u00a0m.)',
  'Business Hours ({hours})': 'Horario comercial ({hours})',
  '24 Hours': '24 horas',
  // Labels.
  'Credit Card': 'Tarjeta de crédito',
  Boat: 'Embarcación',
  Vehicle: 'Vehículo',
  'Household Items': 'Artículos del hogar',
  Registration: 'Registro',
  'no spaces. EX: 123ABC': 'Sin espacios. Ej.: 123ABC',
  'include the state before the plate. Ex. TX - 123ABC':
    'Incluya el estado antes de la placa. Ej.: TX - 123ABC',
  // Card fee, pay links.
  'Using a credit or debit card incurs a recurring rent fee.':
    'Usar una tarjeta de crédito o débito genera un cargo recurrente en la renta.',
  'At this location credit cards add {amount} to each bill, never more than 3% of its rent. Debit and prepaid cards are free.':
    'En este centro las tarjetas de crédito suman {amount} a cada factura, nunca más del 3% de su renta. Las de débito y las prepagadas no lo generan.',
  'This pay link does not work. It may have been paid, or be too old. Please ask your facility for a new one.':
    'Este enlace de pago no funciona. Puede que ya se haya pagado o que sea demasiado antiguo. Pida uno nuevo a su centro de almacenamiento.',
  'What is left to pay has changed. Please check the amount and pay again.':
    'Lo que falta por pagar ha cambiado. Revise el importe y pague de nuevo.',
  // The consent to autopay.
  "I authorize {facility} to charge {instrument} for unit {unit}: on each due date, after 4:00 a.m. by the facility's clock, what is owed on the unit that day. What is still owed once this is set up is charged on the next morning.":
    'Autorizo a {facility} a cobrar con cargo a {instrument}, por la unidad {unit}: en cada fecha de vencimiento, después de las 4:00 a. m. según la hora del centro de almacenamiento, lo que se deba por la unidad ese día. Lo que aún se deba una vez activado el pago automático se cobra a la mañana siguiente.',
  'my bank account': 'mi cuenta bancaria',
  'my bank account ending in {lastFour}': 'mi cuenta bancaria terminada en {lastFour}',
  'my card': 'mi tarjeta',
  'my card ending in {lastFour}': 'mi tarjeta terminada en {lastFour}',
  'The amount may vary: it is the rent less any discount, the protection plan, taxes and fees, and what is still unpaid. When the rent changes, I get an email at least {days} days before the first charge at the new rent.':
    'El importe puede variar: es la renta menos cualquier descuento, el plan de protección, los impuestos y cargos, y lo que siga sin pagar. Cuando cambia la renta, recibo un correo al menos {days} días antes del primer cobro con la nueva renta.',
  '{days} and {last}': '{days} y {last}',
  'A declined charge is tried again {days} days after the first attempt, and not at all when the bank says that it cannot work. I get an email about each attempt.':
    'Un cobro rechazado se intenta de nuevo a los {days} días del primer intento, y no se repite cuando el banco indica que no puede realizarse. Recibo un correo sobre cada intento.',
  'A bank payment that is returned for want of funds is presented again {days} days later, at most twice; a return for most other reasons switches autopay off.':
    'Un pago bancario devuelto por falta de fondos se presenta de nuevo {days} días después, dos veces como máximo; una devolución por la mayoría de los demás motivos desactiva el pago automático.',
  'With a credit card, a card fee of {fee} is added to each bill, never more than 3% of its rent. Debit and prepaid cards and bank accounts bring no fee, and it ends when autopay changes to one of them.':
    'Con una tarjeta de crédito se suma a cada factura un cargo por tarjeta de {fee}, nunca más del 3% de la renta de esa factura. Las tarjetas de débito y prepagadas y las cuentas bancarias no generan cargo, y el cargo por tarjeta termina cuando el pago automático cambia a una de ellas.',
  'I can switch autopay off at any time under Billing Info, until the minute before a charge; what is owed stays owed. The authorization also ends when another card or account takes its place, and when I move out.':
    'Puedo desactivar el pago automático en cualquier momento en Facturación, hasta el minuto anterior a un cobro; lo que se debe se sigue debiendo. La autorización también termina cuando otra tarjeta o cuenta reemplaza a la actual y cuando desocupo la unidad.',
  // What the server says of a call (server/src/http).
  'The request body': 'El cuerpo de la solicitud',
  'The field {field}': 'El campo {field}',
  '{subject} must be a {type}.': '{subject} debe ser de tipo {type}.',
  '{subject} must be an {type}.': '{subject} debe ser de tipo {type}.',
  '{subject} must be an id.': '{subject} debe ser un identificador.',
  '{subject} must be a day of the calendar, such as 2026-12-01.':
    '{subject} debe ser un día del calendario, como 2026-12-01.',
  '{subject} must have the form of a {format}.': '{subject} debe tener el formato {format}.',
  '{subject} must be one of {values}.': '{subject} debe ser uno de estos valores: {values}.',
  '{subject} cannot be used.': '{subject} no se puede usar.',
  'The request holds a character that cannot be used.':
    'La solicitud contiene un carácter que no se puede usar.',
  'The request body must be application/json.':
    'El cuerpo de la solicitud debe ser application/json.',
  'The request body is not valid JSON.': 'El cuerpo de la solicitud no es JSON válido.',
  'The request is too large.': 'La solicitud es demasiado grande.',
  'The file is too large. It may have at most {most} MB.':
    'El archivo es demasiado grande. Puede tener {most} MB como máximo.',
  'The photo is too large. It may have at most {most} MB.':
    'La foto es demasiado grande. Puede tener {most} MB como máximo.',
  'The request took too long to arrive. Please try again.':
    'La solicitud tardó demasiado en llegar. Inténtelo de nuevo.',
  'Another photo of yours is still arriving. Please try again.':
    'Otra foto suya aún se está enviando. Inténtelo de nuevo.',
  'The service is busy for a moment. Please try again.':
    'El servicio está ocupado por un momento. Inténtelo de nuevo.',
  'Many people are signing in right now. Please try again in a moment.':
    'Muchas personas están iniciando sesión. Inténtelo de nuevo en un momento.',
  'The service is very busy right now and nothing was paid. Please try again in a moment.':
    'El servicio está muy ocupado y no se pagó nada. Inténtelo de nuevo en un momento.',
  'Not found.': 'No encontrado.',
  'Please confirm with your passkey.': 'Confirme con su llave de acceso.',
  'This address does not take requests of that kind.':
    'Esta dirección no acepta solicitudes de ese tipo.',
  'This API is served over HTTPS alone.': 'Esta API solo funciona por HTTPS.',
  'Idempotency-Key must be 1 to 255 plain characters.':
    'Idempotency-Key debe tener de 1 a 255 caracteres simples.',
} as const;
