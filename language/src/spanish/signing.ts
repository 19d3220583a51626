export const signing = {
  'This link does not work. It may be too old, or a newer mail has replaced it. Please ask your facility for a new one.':
    'Este enlace no funciona. Puede que haya vencido o que un correo más reciente lo haya reemplazado. Pida uno nuevo en su centro.',
  'You can have this document on paper instead, at no cost: choose “Decline” and say so, or ask {contact}. You can ask for a paper copy after you have signed, too, at no cost.':
    'Puede recibir este documento en papel, sin costo: elija «Rechazar» y dígalo, o pídalo a {contact}. También después de firmar puede pedir una copia en papel, sin costo.',
  'You can withdraw your consent until you have signed, without a fee: choose “Decline” or tell {contact}. The document is then signed on paper. What you have signed before stays signed.':
    'Puede retirar su consentimiento hasta que haya firmado, sin cargo: elija «Rechazar» o avise a {contact}. El documento se firma entonces en papel. Lo que haya firmado antes queda firmado.',
  'Your consent is for this document only, and for mailing you its signed copy.':
    'Su consentimiento vale solo para este documento y para enviarle por correo su copia firmada.',
  'If your email address changes, tell {contact}, so that mails reach you.':
    'Si cambia su correo electrónico, avise a {contact} para que los correos le lleguen.',
  'You need a device with a current browser and a connection to the internet, an email account, and a program that opens PDF files, with room to keep or a printer to print them.':
    'Necesita un dispositivo con un navegador actual y conexión a internet, una cuenta de correo y un programa que abra archivos PDF, con espacio para guardarlos o una impresora para imprimirlos.',
  'I can read this page, and I agree to read and sign this document electronically.':
    'Puedo leer esta página y acepto leer y firmar este documento de forma electrónica.',
  'The drawing is too long. Please clear it and draw a shorter one.':
    'El dibujo es demasiado largo. Bórrelo y haga uno más corto.',
  'Your name': 'Su nombre',
  Reason: 'Motivo',
  'Please agree to read and sign electronically first.':
    'Primero acepte leer y firmar de forma electrónica.',
  'Please sign at every place of the document.': 'Firme en todos los lugares del documento.',
  'The signed copy is being made. Please try again in a moment.':
    'La copia firmada se está preparando. Inténtelo de nuevo en un momento.',
  'Please sign: {documentName}': 'Por favor, firme: {documentName}',
  '{facilityName} asks you to sign “{documentName}” for unit {unitName}. You can read and sign it on your phone or computer until {endsOn}:':
    '{facilityName} le pide que firme «{documentName}» de la unidad {unitName}. Puede leerlo y firmarlo en su teléfono o computadora hasta el {endsOn}:',
  'Read and sign': 'Leer y firmar',
  'The link is yours: whoever has it can read the document and sign it. If you would rather have it on paper, say so there, or {ask}.':
    'El enlace es suyo: quien lo tenga puede leer el documento y firmarlo. Si lo prefiere en papel, dígalo allí, o {ask}.',
  'Signed: {documentName}': 'Firmado: {documentName}',
  '“{documentName}” for unit {unitName} is signed. Your copy is attached. Its last page says who signed it, when and from where.':
    '«{documentName}» de la unidad {unitName} está firmado. Su copia va adjunta. La última página dice quién lo firmó, cuándo y desde dónde.',
} as const;
