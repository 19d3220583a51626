/** The tenant's record: contacts, driver's license, requests, reminders, calendar. */
export const profile = {
  // Several tenant records.
  '{n} more': '{n} más',
  // Contacts.
  Company: 'Empresa',
  Email: 'Correo electrónico',
  Phone: 'Teléfono',
  Address: 'Dirección',
  'First Name': 'Nombre',
  'Last Name': 'Apellido',
  'Street 1': 'Dirección 1',
  'Street 2': 'Dirección 2',
  City: 'Ciudad',
  'Postal Code': 'Código postal',
  'Primary Contact Information': 'Datos del contacto principal',
  'Your contact information could not be loaded.': 'No se pudieron cargar sus datos de contacto.',
  'contact information': 'los datos de contacto',
  'Update contact information': 'Actualizar datos de contacto',
  'This is a request: the facility reviews it before anything changes.':
    'Esta es una solicitud: el centro la revisa antes de cambiar los datos.',
  'Contact information update request successfully sent':
    'La solicitud para actualizar sus datos de contacto se envió correctamente',
  'The facility will review it. Your profile stays as it is until then.':
    'El centro la revisará. Hasta entonces su perfil no cambia.',
  phone: 'el teléfono',
  'Add phone': 'Agregar teléfono',
  'The number at which the facility reaches you.': 'El número al que el centro le llama.',
  'Your phone number has been added.': 'Se agregó su número de teléfono.',
  'Alternate Contact Information': 'Datos del contacto alterno',
  'Your alternate contact could not be loaded.': 'No se pudo cargar su contacto alterno.',
  'alternate contact': 'el contacto alterno',
  'Add alternate contact': 'Agregar contacto alterno',
  'Update alternate contact': 'Actualizar contacto alterno',
  'The person the facility calls when it cannot reach you. We need all four.':
    'La persona a la que el centro llama cuando no logra comunicarse con usted. Necesitamos los cuatro datos.',
  'Your alternate contact has been added.': 'Se agregó su contacto alterno.',
  'Your alternate contact has been updated.': 'Se actualizó su contacto alterno.',
  // Driver's license.
  Number: 'Número',
  "Driver's License": 'Licencia de conducir',
  "Driver's License (Required)": 'Licencia de conducir (obligatoria)',
  "Driver's License Number": 'Número de licencia de conducir',
  "Driver's License State": 'Estado que emitió la licencia',
  "driver's license": 'la licencia de conducir',
  "Add driver's license": 'Agregar licencia de conducir',
  'Please check it carefully. Once it is saved, only the facility can change it.':
    'Revísela bien. Una vez guardada, solo el centro puede cambiarla.',
  "Your driver's license has been added.": 'Se agregó su licencia de conducir.',
  "The driver's license could not be loaded.": 'No se pudo cargar la licencia de conducir.',
  'To change it, please call the facility.': 'Para cambiarla, llame al centro.',
  'To change it, please call the facility at {phone}.':
    'Para cambiarla, llame al centro al {phone}.',
  // Requests.
  Requests: 'Solicitudes',
  'What you asked the facility, and what happened to it.': 'Lo que pidió al centro y cómo avanza.',
  'Your requests could not be loaded.': 'No se pudieron cargar sus solicitudes.',
  'You have not asked the facility for anything yet. What you ask is listed here.':
    'Aún no ha pedido nada al centro. Lo que pida aparecerá aquí.',
  'Show {n} earlier': '{n, plural, one {Mostrar # anterior} other {Mostrar # anteriores}}',
  requests: 'de sus solicitudes',
  'Maintenance request': 'Solicitud de mantenimiento',
  'Protection plan change': 'Cambio de plan de protección',
  '24-hour access request': 'Solicitud de acceso las 24 horas',
  'E-sign documents': 'Documentos para firma electrónica',
  'Contact information update': 'Actualización de datos de contacto',
  'Move-out': 'Salida',
  '{request}, unit {unit}': '{request}, unidad {unit}',
  'For {name}': 'Para {name}',
  New: 'Nueva',
  Waiting: 'En espera',
  'In progress': 'En curso',
  Done: 'Terminada',
  Sent: 'Enviada',
  'Answer sent': 'Respuesta enviada',
  'Phone added': 'Teléfono agregado',
  'License added': 'Licencia agregada',
  'Add contact': 'Agregar contacto',
  'Contact added': 'Contacto agregado',
  'Contact updated': 'Contacto actualizado',
  'The facility replied': 'El centro respondió',
  'You answered': 'Usted respondió',
  'You objected': 'Usted se opuso',
  'Steps of {reference}': 'Pasos de {reference}',
  Answer: 'Responder',
  'the reply to {reference}': 'a lo que el centro contestó sobre {reference}',
  'To the facility’s reply to {reference}.': 'A lo que el centro contestó sobre {reference}.',
  'To the facility’s reply to {reference}. It opens the request again.':
    'A lo que el centro contestó sobre {reference}. La solicitud se abre de nuevo.',
  'Your answer': 'Su respuesta',
  'Send answer': 'Enviar respuesta',
  'Answer successfully sent': 'Su respuesta se envió correctamente',
  'The facility gets it by email.': 'El centro la recibe por correo electrónico.',
  // Reminders.
  Reminders: 'Recordatorios',
  'By email, in the daytime, and only while there is something to pay.':
    'Por correo, durante el día y solo mientras haya algo por pagar.',
  'By email or text message, in the daytime, and only while there is something to pay.':
    'Por correo o mensaje de texto, durante el día y solo mientras haya algo por pagar.',
  'Your reminders could not be loaded.': 'No se pudieron cargar sus recordatorios.',
  'Your facility sends no reminders.': 'Su centro no envía recordatorios.',
  'Before rent is due': 'Antes de que venza la renta',
  '5 days ahead, for units without autopay.': '5 días antes, para unidades sin pago automático.',
  'On the day rent is due': 'El día en que vence la renta',
  'With a link to pay, for units without autopay.':
    'Con un enlace para pagar, para unidades sin pago automático.',
  'Before the gate closes': 'Antes de que se cierre el portón',
  '2 days before your gate code stops working for what is owed.':
    '2 días antes de que su código del portón deje de funcionar por lo que se debe.',
  '{label}: no reminders.': '{label}: sin recordatorios.',
  '{label}: you get reminders.': '{label}: recibirá recordatorios.',
  // Text messages.
  'Text messages': 'Mensajes de texto',
  'There is no phone number on file that gets text messages. Add one under Profile.':
    'No hay registrado ningún número de teléfono que reciba mensajes de texto. Agregue uno en Perfil.',
  'STOP was texted from {phone}, so reminders go by email. To get them by text again, text START to the number that they came from.':
    'Se envió STOP desde el {phone}, así que los recordatorios van por correo. Para recibirlos otra vez por mensaje de texto, envíe START al número del que llegaban.',
  'Text me reminders, in place of emails':
    'Enviarme los recordatorios por mensaje de texto, en lugar de correos',
  'Tick the box to agree, or leave reminders as they are.':
    'Marque la casilla para aceptar, o deje los recordatorios como están.',
  'Text me a code': 'Enviarme un código',
  'A code was sent to {phone}.': 'Se envió un código al {phone}.',
  'Another code was sent to {phone}.': 'Se envió otro código al {phone}.',
  Code: 'Código',
  'Code is required.': 'El campo Código es obligatorio.',
  'The digits in the text message to {phone}.':
    'Los dígitos del mensaje de texto que se envió al {phone}.',
  'This code is wrong or too old. Try again, or get another one.':
    'Este código es incorrecto o ya venció. Inténtelo de nuevo o pida otro.',
  'Switch on': 'Activar',
  'Text me another code': 'Enviarme otro código',
  'Reminders now go by text message.': 'Los recordatorios ahora van por mensaje de texto.',
  'Reminders go by email as before.': 'Los recordatorios van por correo como antes.',
  'Reminders go by text message to {phone}, in place of emails. Reply STOP to one of them to end them.':
    'Los recordatorios van por mensaje de texto al {phone}, en lugar de correos. Responda STOP a uno de ellos para dejar de recibirlos.',
  'Switch text messages off': 'Desactivar mensajes',
  'Text messages are off. Reminders go by email.':
    'Los mensajes de texto están desactivados. Los recordatorios van por correo.',
  // Calendar.
  Calendar: 'Calendario',
  'Due dates, autopay, rent changes and expiry dates in the calendar of your phone or computer.':
    'Fechas de pago, pagos automáticos, cambios de renta y vencimientos en el calendario de su teléfono o computadora.',
  'Your calendar could not be loaded.': 'No se pudo cargar su calendario.',
  'Your calendar gets a private address. Whoever has it can read what is due and when, but never your gate code.':
    'Su calendario tendrá una dirección privada. Quien la conozca podrá ver qué vence y cuándo, pero nunca su código del portón.',
  'Create calendar': 'Crear calendario',
  'Your calendar is ready.': 'Su calendario está listo.',
  'Calendar address': 'Dirección del calendario',
  'Subscribe to it in your calendar app. If you change your password, it stops working.':
    'Úsela para suscribirse en su aplicación de calendario. Si cambia su contraseña, deja de funcionar.',
  'Copy the calendar address': 'Copiar la dirección del calendario',
  'Open in calendar app': 'Abrir en el calendario',
  'Remove calendar': 'Quitar calendario',
  'Your calendar is removed. Its address no longer works.':
    'Se quitó su calendario. Su dirección ya no funciona.',
} as const;
