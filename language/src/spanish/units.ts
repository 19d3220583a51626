/** My Units (rentals, insurance, contents, papers, e-sign, facilities) and what every page has. */
export const units = {
  // Parts of every page.
  Close: 'Cerrar',
  Cancel: 'Cancelar',
  Save: 'Guardar',
  Replace: 'Reemplazar',
  Update: 'Actualizar',
  Download: 'Descargar',
  Copy: 'Copiar',
  Copied: 'Copiado',
  'Not copied': 'Sin copiar',
  Show: 'Mostrar',
  Hide: 'Ocultar',
  'the password': 'la contraseña',
  'Previous page': 'Página anterior',
  'Next page': 'Página siguiente',
  'Page {number}': 'Página {number}',
  'This form could not be loaded. Check your connection and try again.':
    'No se pudo cargar este formulario. Revise su conexión e inténtelo de nuevo.',
  'Reference {number}': 'Referencia {number}',
  '{what} was asked for on {day}, Reference {number}':
    '{what}: se pidió el {day}, referencia {number}',
  'for {unit}': 'para {unit}',
  'of {unit}': 'de {unit}',
  'For unit {unit}.': 'Para la unidad {unit}.',
  // My Units.
  'There was an issue loading the rental data': 'Hubo un problema al cargar los datos de alquiler',
  'Rental Notifications': 'Avisos de sus alquileres',
  'Current Rentals': 'Alquileres actuales',
  'Total due': 'Total por pagar',
  'Pay all': 'Pagar todo',
  Pay: 'Pagar',
  // Rentals.
  'Current Balance (Required)': 'Saldo actual (obligatorio)',
  'Paid Through: {date}': 'Pagado hasta: {date}',
  'Next Charge: {date}': 'Próximo cargo: {date}',
  'Scheduled Rate Change: {rate} on {date}': 'Cambio de tarifa programado: {rate} el {date}',
  'Due now': 'Por pagar ahora',
  '{days, plural, one {# day} other {# days}} past due':
    '{days, plural, one {# día} other {# días}} de retraso',
  '{width} x {length} {type}, {rate}/month': '{width} x {length} {type}, {rate} al mes',
  Repair: 'Reparación',
  'request for {unit}': 'en {unit}',
  'Details of {unit}': 'Detalles de {unit}',
  Balance: 'Saldo',
  'Balance Due': 'Saldo por pagar',
  'Balance Paid Off': 'Saldo pagado',
  Autopay: 'Pago automático',
  'Autopay Needs Setup': 'Falta activar el pago automático',
  'Autopay Setup Completed': 'Pago automático activado',
  Documents: 'Documentos',
  'Documents Need E-sign': 'Faltan documentos por firmar',
  'All Documents E-signed': 'Todos los documentos firmados',
  Insurance: 'Seguro',
  'Protection Plan or Proof of Private Insurance Needed':
    'Falta el plan de protección o el comprobante de seguro privado',
  'Protection Plan or Proof of Private Insurance Completed':
    'Plan de protección o comprobante de seguro privado registrado',
  'Unit contents': 'Contenido de la unidad',
  'Unit Contents Needed': 'Falta el contenido de la unidad',
  'Unit Contents Entered': 'Contenido de la unidad registrado',
  "Driver's license": 'Licencia de conducir',
  "Driver's License Info Needed": 'Faltan los datos de la licencia de conducir',
  "Driver's License Info Entered": 'Datos de la licencia de conducir registrados',
  'Show all {count} rentals': 'Mostrar los {count} alquileres',
  '{count, plural, one {# Item Needing Attention} other {# Items Needing Attention}}':
    '{count, plural, one {# pendiente} other {# pendientes}}',
  'Some items could not be checked': 'Algunos puntos no se pudieron comprobar',
  '{subject} could not be checked': 'No se pudo comprobar: {subject}',
  // Insurance.
  'Insurance/{wbr}Protection Plan (Required)': 'Seguro/{wbr}plan de protección (obligatorio)',
  'Insurance/Protection Plan': 'Seguro/plan de protección',
  'Protection Plan or Private Insurance': 'Plan de protección o seguro privado',
  'Protection plan': 'Plan de protección',
  'Private insurance': 'Seguro privado',
  'protection plan for {unit}': 'el plan de protección de {unit}',
  'private insurance for {unit}': 'el seguro privado de {unit}',
  'None on file': 'Sin datos',
  'until {date}': 'hasta el {date}',
  '{coverage} coverage': 'cobertura\u00a0de\u00a0{coverage}',
  '{coverage} coverage, {premium} a month': 'Cobertura de {coverage}, {premium}\u00a0al\u00a0mes',
  '{premium} a month': '{premium} al mes',
  'Policy {number}': 'Póliza {number}',
  'The insurance could not be loaded.': 'No se pudo cargar el seguro.',
  'The protection plans could not be loaded.': 'No se pudieron cargar los planes de protección.',
  'Active plan: {plan}': 'Plan vigente: {plan}',
  'You can ask for another plan here.': 'Aquí puede pedir otro plan.',
  'For other changes to your protection plan, please call the facility.':
    'Para otros cambios en su plan de protección, llame al centro de almacenamiento.',
  'For other changes to your protection plan, please call the facility at {phone}.':
    'Para otros cambios en su plan de protección, llame al centro de almacenamiento al {phone}.',
  'Private insurance can still be updated.': 'El seguro privado sí se puede actualizar.',
  'A change': 'Cambio de plan',
  'Change to': 'Cambiar a',
  'Your proof of {company} was refused: {reason}':
    'Se rechazó su comprobante de {company}: {reason}',
  'Proof of a policy of your own': 'Comprobante de una póliza propia',
  'Coverage start': 'Inicio de la cobertura',
  'Submit proof': 'Enviar comprobante',
  'Request change': 'Pedir cambio',
  'Add plan': 'Agregar plan',
  'Policy Company': 'Aseguradora',
  'Policy Number': 'Número de póliza',
  'Expiration Date': 'Fecha de vencimiento',
  'Coverage Amount': 'Importe de la cobertura',
  'Choose a protection plan or private insurance.':
    'Elija un plan de protección o el seguro privado.',
  'Coverage amount is required.': 'El campo Importe de la cobertura es obligatorio.',
  'You have successfully added a protection plan to unit {unit}':
    'Se agregó un plan de protección a la unidad {unit}',
  '{coverage} coverage for {premium} a month, from {date}.':
    'Cobertura de {coverage} por {premium} al mes, desde el {date}.',
  'The private insurance for unit {unit} is on file':
    'El seguro privado de la unidad {unit} quedó registrado',
  'Your request to change the protection plan of unit {unit} has been sent. The update can take up to 1 day to take effect.':
    'Se envió su solicitud para cambiar el plan de protección de la unidad {unit}. El cambio puede tardar hasta 1 día en entrar en vigor.',
  'The private insurance for unit {unit} has been updated':
    'El seguro privado de la unidad {unit} quedó actualizado',
  'The policy expires on {date}.': 'La póliza vence el {date}.',
  // E-sign.
  'E-sign Status (Required)': 'Firma electrónica (obligatoria)',
  'The documents could not be loaded.': 'No se pudieron cargar los documentos.',
  'Nothing to E-sign': 'Nada por firmar',
  'Needs\u00a0E-sign': 'Falta\u00a0firmar',
  Completed: 'Completado',
  Declined: 'Rechazado',
  Expired: 'Vencido',
  'documents for {unit}': 'los documentos de {unit}',
  'Ask the facility to send the e-sign documents of unit {unit} again.':
    'Pida al centro que envíe de nuevo los documentos para firma electrónica de la unidad {unit}.',
  'Your email address could not be loaded.': 'No se pudo cargar su correo electrónico.',
  'The request to receive the e-sign documents has been successfully submitted. Once the submission has been reviewed, you will recieve an email at {email}.':
    'Se envió la solicitud para recibir los documentos para firma electrónica. Cuando se haya revisado, recibirá un correo en {email}.',
  'An error was encountered while submitting the request. {error}':
    'Ocurrió un error al enviar la solicitud. {error}',
  'They will go to {email} once the facility has reviewed the request.':
    'Llegarán a {email} cuando el centro haya revisado la solicitud.',
  // Contents.
  'Unit Contents (Required)': 'Contenido (obligatorio)',
  'Unit Contents': 'Contenido de la unidad',
  'The unit contents could not be loaded.': 'No se pudo cargar el contenido de la unidad.',
  'The unit contents have been saved.': 'Se guardó el contenido de la unidad.',
  'Not entered': 'Sin indicar',
  Enter: 'Indicar',
  'Enter what is stored': 'Indicar lo guardado',
  'unit contents for {unit}': 'el contenido de {unit}',
  'What is stored in unit {unit}.': 'Lo que se guarda en la unidad {unit}.',
  'The type and number are saved. The license plate and description could not be saved.':
    'El tipo y el número se guardaron. La placa y la descripción no se pudieron guardar.',
  Type: 'Tipo',
  'Select type': 'Seleccionar tipo',
  'License Plate': 'Placa',
  'Its registration and insurance are filed under {page}.':
    'El registro y el seguro se entregan en {page}.',
  'A VIN usually has 17 characters, this one has {count}. Please check it.':
    'Un VIN suele tener 17 caracteres y este tiene {count}. Revíselo.',
  'A VIN has letters and digits, and no I, O or Q. Please check it.':
    'Un VIN tiene letras y números, sin I, O ni Q. Revíselo.',
  'The check digit of this VIN does not fit. Please compare it with the vehicle; one from abroad may differ.':
    'El dígito verificador de este VIN no coincide. Compárelo con el del vehículo; si es extranjero, puede ser distinto.',
  '12 characters, outside on the right of the stern, just under the upper edge.':
    '12 caracteres, por fuera a la derecha de la popa, justo bajo el borde superior.',
  'Hull number (HIN)': 'Número de casco (HIN)',
  'Ask for the documents': 'Pedir los documentos',
  'Documents asked for': 'Documentos pedidos',
  'Plan added': 'Plan agregado',
  'Insurance on file': 'Seguro registrado',
  'Insurance updated': 'Seguro actualizado',
  Removed: 'Quitado',
  'On file': 'Registrado',
  'A HIN usually has 12 or 14 characters, this one has {count}. Please check it.':
    'Un HIN suele tener 12 o 14 caracteres y este tiene {count}. Revíselo.',
  'A HIN usually looks like ABC12345D404: maker, serial number, month and year. Please check it.':
    'Un HIN suele ser como ABC12345D404: fabricante, número de serie, mes y año. Revíselo.',
  // Papers.
  'Vehicle and Vessel Papers': 'Documentos de vehículos y embarcaciones',
  'Registration and insurance of what you store. We remind you 60, 30 and 7 days before one expires.':
    'Registro y seguro de lo que guarda. Le avisamos 60, 30 y 7 días antes de que venzan.',
  'Your papers could not be loaded.': 'No se pudieron cargar sus documentos.',
  'None of your units has a vehicle or a boat in it.':
    'Ninguna de sus unidades tiene un vehículo o una embarcación.',
  Valid: 'Vigente',
  'Expires soon': 'Vence pronto',
  'Valid until {date}': 'Vigente hasta el {date}',
  'Expired on {date}': 'Venció el {date}',
  'No. {number}': 'N.º {number}',
  'unit {unit}': 'la unidad {unit}',
  '{paper}, {of}': '{paper} de {of}',
  'registration for {unit}': 'el registro de {unit}',
  'insurance for {unit}': 'el seguro de {unit}',
  'Remove registration': 'Quitar el registro',
  'Remove insurance': 'Quitar el seguro',
  'A photo or a PDF of the paper, with its number and its last day.':
    'Una foto o un PDF del documento, con su número y su último día de vigencia.',
  'It is of {of}.': 'Es de {of}.',
  'Photo or PDF': 'Foto o PDF',
  'All of it must be readable. A PDF may have 8 MB.':
    'Todo debe poder leerse. Un PDF puede tener hasta 8 MB.',
  'Choose a file': 'Elegir archivo',
  'Choose another file': 'Elegir otro',
  'The file is too large. It may have at most 8 MB.':
    'El archivo es demasiado grande. Puede tener 8 MB como máximo.',
  'The file could not be read. Please choose another.': 'No se pudo leer el archivo. Elija otro.',
  'Registration Number': 'Número de registro',
  'A photo or PDF is required.': 'Se necesita una foto o un PDF.',
  'Shown by its last four characters from now on.':
    'Después solo se verán sus últimos cuatro caracteres.',
  'File sent': 'Archivo enviado',
  'The registration for {of} is on file. We remind you before it expires.':
    'El registro de {of} quedó guardado. Le avisaremos antes de que venza.',
  'The insurance for {of} is on file. We remind you before it expires.':
    'El seguro de {of} quedó guardado. Le avisaremos antes de que venza.',
  'The registration for {of} is removed.': 'Se quitó el registro de {of}.',
  'The insurance for {of} is removed.': 'Se quitó el seguro de {of}.',
  'The file, its number and its date are deleted. You can file it again at any time.':
    'Se eliminan el archivo, su número y su fecha. Puede entregarlo de nuevo cuando quiera.',
  // Vehicles and boats.
  'Year, make and model.': 'Año, marca y modelo.',
  'Add a vehicle or boat': 'Agregar un vehículo o una embarcación',
  'Add a Vehicle or Boat': 'Agregar un vehículo o una embarcación',
  'One that is in a unit besides what is listed here.':
    'Uno más de los que guarda en sus unidades, aparte de los que ya aparecen aquí.',
  'Vehicle or Boat': 'Vehículo o embarcación',
  'Remove vehicle or boat': 'Quitar el vehículo o la embarcación',
  '{vehicle}, unit {unit}': '{vehicle}, unidad {unit}',
  '{vehicle} is removed.': 'Se quitó {vehicle}.',
  'Its registration and insurance on file are deleted with it.':
    'También se eliminan su registro y su seguro.',
  'Unit {unit} is then listed with household items only.':
    'La unidad {unit} quedará registrada solo con artículos del hogar.',
  // Facilities.
  'Facility Information': 'Datos del centro',
  Directions: 'Cómo llegar',
  'Call {phone}': 'Llamar al {phone}',
  'You are not currently renting any units': 'Actualmente no alquila ninguna unidad',
} as const;
