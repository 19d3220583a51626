export const signing = {
  'This link does not work. It may be too old, or a newer email has replaced it. Please ask your facility for a new one.':
    'Este enlace no funciona. Puede que haya vencido o que un correo más reciente lo haya reemplazado. Pida uno nuevo en su centro.',
  'You can have this document on paper instead, at no cost: choose “Decline” and say so, or ask the facility. You can ask for a paper copy after you have signed, too, at no cost.':
    'Puede recibir este documento en papel, sin costo: elija «Rechazar» y dígalo, o pídalo al centro. También después de firmar puede pedir una copia en papel, sin costo.',
  'You can have this document on paper instead, at no cost: choose “Decline” and say so, or call the facility at {phone}. You can ask for a paper copy after you have signed, too, at no cost.':
    'Puede recibir este documento en papel, sin costo: elija «Rechazar» y dígalo, o llame al centro al {phone}. También después de firmar puede pedir una copia en papel, sin costo.',
  'You can withdraw your consent until you have signed, without a fee: choose “Decline” or tell the facility. The document is then signed on paper. What you have signed before stays signed.':
    'Puede retirar su consentimiento hasta que haya firmado, sin cargo: elija «Rechazar» o avise al centro. El documento se firma entonces en papel. Lo que haya firmado antes queda firmado.',
  'Your consent is for this document only, and for emailing you its signed copy.':
    'Su consentimiento vale solo para este documento y para enviarle por correo su copia firmada.',
  'If your email address changes, tell the facility, so that emails reach you.':
    'Si cambia su correo electrónico, avise al centro para que los correos le lleguen.',
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
  'Sign a document': 'Firmar un documento',
  '{facility} asks {name} to sign this document.':
    '{facility} pide a {name} que firme este documento.',
  'If you rent here, you can sign in and open the document from My Units.':
    'Si alquila aquí, puede iniciar sesión y abrir el documento desde Mis unidades.',
  'The document is signed.': 'El documento está firmado.',
  'You have signed the document.': 'Ha firmado el documento.',
  'The signed copy was emailed to everybody who signed it, and to the facility.':
    'La copia firmada se envió por correo a quienes lo firmaron y al centro.',
  '{name} signs it next. Then you get the signed copy by email.':
    'Ahora lo firma {name}. Después recibirá la copia firmada por correo.',
  'Back to My Units': 'Volver a Mis unidades',
  'Download the signed copy': 'Descargar la copia firmada',
  'The document was declined. Nobody can sign it any more.':
    'El documento fue rechazado. Ya nadie puede firmarlo.',
  '{facility} was told, and will be in touch.': '{facility} ya lo sabe y se comunicará con usted.',
  'Before you sign electronically': 'Antes de firmar de forma electrónica',
  'Please tick the box to go on.': 'Marque la casilla para continuar.',
  'Read the document': 'Leer el documento',
  Decline: 'Rechazar',
  'Why do you decline?': '¿Por qué lo rechaza?',
  'The facility reads it. If you want the document on paper, say so.':
    'Lo lee el centro. Si quiere el documento en papel, dígalo.',
  'Please say why.': 'Diga por qué.',
  'Decline the document': 'Rechazar el documento',
  '{done} of {all} places signed': '{done} de {all} lugares firmados',
  'Sign the document': 'Firmar el documento',
  'Next: initials': 'Siguiente: iniciales',
  'Next: signature': 'Siguiente: firma',
  'the initials': 'las iniciales',
  'the signature': 'la firma',
  'Initial here': 'Poner iniciales',
  'Sign here': 'Firmar aquí',
  'Initials of {name}': 'Iniciales de {name}',
  'Signature of {name}': 'Firma de {name}',
  'Initials of {name}, page {page}': 'Iniciales de {name}, página {page}',
  'Signature of {name}, page {page}': 'Firma de {name}, página {page}',
  'The document is a PDF of 1 page ({size}). Read it before you sign.':
    'El documento es un PDF de 1 página ({size}). Léalo antes de firmar.',
  'The document is a PDF of {pages} pages ({size}). Read it before you sign.':
    'El documento es un PDF de {pages} páginas ({size}). Léalo antes de firmar.',
  'Download the document': 'Descargar el documento',
  'Please type your name.': 'Escriba su nombre.',
  'Please draw your signature.': 'Dibuje su firma.',
  'Your signature': 'Su firma',
  'Your initials': 'Sus iniciales',
  'Your initials: {initials}': 'Sus iniciales: {initials}',
  'How do you want to sign?': '¿Cómo quiere firmar?',
  'My typed name': 'Mi nombre escrito',
  'Draw it': 'Dibujarla',
  'Box to draw your signature in': 'Cuadro para dibujar su firma',
  'With your finger, a pen or the mouse.': 'Con el dedo, un lápiz o el ratón.',
  'Clear the drawing': 'Borrar el dibujo',
} as const;
