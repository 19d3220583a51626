/** The frame around the pages: titles, menu, notices, what a call says that fails. */
export const portal = {
  'Manage your storage rentals: balance, payments, autopay and gate access.':
    'Administre sus alquileres: saldo, pagos, pago automático y acceso al portón.',
  'This site needs JavaScript to sign you in. Please turn it on, or call your facility.':
    'Este sitio necesita JavaScript para iniciar sesión. Actívelo o llame a su centro de almacenamiento.',
  'We could not reach the server. Check your connection and try again.':
    'No pudimos conectar con el servidor. Revise su conexión e inténtelo de nuevo.',
  'The server took too long to answer. Please try again.':
    'El servidor tardó demasiado en responder. Inténtelo de nuevo.',
  'The server sent an answer that we could not read. Please try again.':
    'No pudimos leer la respuesta del servidor. Inténtelo de nuevo.',
  'Something went wrong on our side. Please try again.':
    'Algo falló de nuestro lado. Inténtelo de nuevo.',
  'Please sign in again.': 'Inicie sesión de nuevo.',
  // Titles.
  'Sign in': 'Iniciar sesión',
  'Account Lookup': 'Buscar su cuenta',
  'My Units': 'Mis unidades',
  'Billing Info': 'Facturación',
  'Payment History': 'Historial de pagos',
  Profile: 'Perfil',
  'Maintenance Request': 'Solicitud de mantenimiento',
  'Schedule Move-Out': 'Programar su salida',
  'Account Management': 'Administrar la cuenta',
  // Sign in.
  'Sign in to your account': 'Inicie sesión en su cuenta',
  'Try again': 'Intentar de nuevo',
  'What state is your facility located?': '¿En qué estado está su centro de almacenamiento?',
  'Loading locations…': 'Cargando los centros…',
  'Select your location': 'Seleccione su centro',
  'Select location': 'Seleccionar centro',
  'Select state': 'Seleccionar estado',
  State: 'Estado',
  'Email Address': 'Correo electrónico',
  Password: 'Contraseña',
  'Forgot password?': '¿Olvidó su contraseña?',
  'Remember my email on this device': 'Recordar mi correo en este dispositivo',
  'Sign In': 'Iniciar sesión',
  'Choose the state first.': 'Primero elija el estado.',
  'To set a new password, we first find your account.':
    'Para poner una contraseña nueva, primero buscamos su cuenta.',
  'Use a passkey (fingerprint or face)': 'Usar llave de acceso (huella o rostro)',
  'Keep me signed in on this phone': 'Mantener la sesión abierta en este teléfono',
  "Don't have an account yet?": '¿Aún no tiene cuenta?',
  'Sign up': 'Regístrese',
  'You were signed out because nothing happened for 30 minutes. Please sign in again.':
    'Su sesión se cerró tras 30 minutos sin actividad. Inicie sesión de nuevo.',
  'A path may name at most {most} ids.':
    'Una ruta puede indicar {most} identificadores como máximo.',
  'Your session has ended. Please sign in again.': 'Su sesión terminó. Inicie sesión de nuevo.',
  'This sign-in has no rental account at this location.':
    'Este usuario no tiene ninguna cuenta de alquiler en este centro.',
  'Your location': 'Su centro',
  location: 'de centro',
  'Step {step} of 4': 'Paso {step} de 4',
  // Frame, menu, error pages, idle warning.
  'Loading…': 'Cargando…',
  'Skip to content': 'Ir al contenido',
  'Call the facility: ': 'Llamar al centro: ',
  'Record in view': 'Inquilino en pantalla',
  Menu: 'Menú',
  Logout: 'Cerrar sesión',
  Reload: 'Volver a cargar',
  'This page could not be loaded. Check your connection and try again.':
    'No se pudo cargar esta página. Revise su conexión e inténtelo de nuevo.',
  'Page not found': 'Página no encontrada',
  'Not Found': 'No encontrado',
  'We could not find that page.': 'No encontramos esa página.',
  'Service Unavailable': 'Servicio no disponible',
  'Application Error': 'Error de la aplicación',
  'Something went wrong while showing this page.': 'Algo falló al mostrar esta página.',
  'Return Home': 'Volver al inicio',
  'Go back': 'Regresar',
  'The address may be mistyped, or the page may have moved.':
    'Quizás la dirección tiene un error o la página cambió de lugar.',
  'Try again. If it stays like this, please call your facility.':
    'Inténtelo de nuevo. Si sigue así, llame a su centro.',
  'Are you still there?': '¿Sigue ahí?',
  'For your safety you will be signed out when nothing happens for 30 minutes.':
    'Por su seguridad, su sesión se cierra tras 30 minutos sin actividad.',
  'Time left: {left}': 'Tiempo restante: {left}',
  'Stay signed in': 'Mantener sesión',
  // Passkeys.
  Name: 'Nombre',
  Add: 'Agregar',
  Rename: 'Renombrar',
  Remove: 'Quitar',
  'Discard what you entered?': '¿Descartar lo que escribió?',
  'What was not sent will be lost.': 'Lo que no se haya enviado se perderá.',
  'Keep editing': 'Seguir editando',
  Discard: 'Descartar',
  'Sign in with your finger, your face or your screen lock, without a password. You can stay signed in on a phone for 30 days that way: the portal then asks for the passkey again before you pay, change contacts or see a gate code that is new there. It does not protect you from whoever holds the unlocked phone.':
    'Inicie sesión con su huella, su rostro o el bloqueo de pantalla, sin contraseña. Así puede mantener la sesión abierta en un teléfono durante 30 días: el portal vuelve a pedir la llave antes de pagar, de cambiar contactos o de mostrar un código del portón que sea nuevo en ese teléfono. No le protege de quien tenga el teléfono desbloqueado.',
  'Add a passkey': 'Agregar una llave',
  'to your account': 'a su cuenta',
  'It is made on this device and can sign in to your account from then on. Do not add one on a device that you share.':
    'Se crea en este dispositivo y desde entonces sirve para iniciar sesión en su cuenta. No agregue una en un dispositivo que comparta.',
  'Your passkeys': 'Sus llaves de acceso',
  'Your passkeys could not be loaded.': 'No se pudieron cargar sus llaves de acceso.',
  'You have no passkey yet.': 'Aún no tiene ninguna llave de acceso.',
  'The passkey “{name}” is removed.': 'Se quitó la llave de acceso “{name}”.',
  'the passkey “{name}”': 'la llave de acceso “{name}”',
  'Added {day}': 'Agregada el {day}',
  'Last used {day}': 'Último uso: {day}',
  'On all your devices': 'En todos sus dispositivos',
  'Rename passkey': 'Renombrar llave de acceso',
  'Remove passkey': 'Quitar llave de acceso',
  'This phone': 'Este teléfono',
  'This computer': 'Esta computadora',
  'Your passkey has been added.': 'Se agregó su llave de acceso.',
  'Next time choose “Use a passkey”.': 'La próxima vez, elija “Usar llave de acceso”.',
  'So that you can tell it from others later.': 'Para distinguirla de otras más adelante.',
  'Sign in again': 'Iniciar sesión de nuevo',
  'Please try again.': 'Inténtelo de nuevo.',
  '“{name}” will no longer sign in here, and phones that it keeps signed in are signed out. Your device may still offer it: delete it in the device’s own settings too.':
    '“{name}” ya no servirá para iniciar sesión aquí, y se cerrarán las sesiones que mantiene abiertas en teléfonos. Su dispositivo puede seguir ofreciéndola: elimínela también en la configuración del dispositivo.',
  // Sessions.
  'Where you are signed in': 'Dónde tiene sesión abierta',
  'If you do not recognize a browser, sign it out and set a new password.':
    'Si no reconoce un navegador, cierre esa sesión y elija una contraseña nueva.',
  'Your sessions could not be loaded.': 'No se pudieron cargar sus sesiones.',
  Sessions: 'Sesiones',
  'Sign out': 'Cerrar sesión',
  '{name} is signed out.': '{name}: sesión cerrada.',
  'This browser': 'Este navegador',
  'A browser': 'Un navegador',
  'Since {moment}': 'Desde el {moment}',
  'Kept for {days} days, until {moment}': 'Abierta por {days} días, hasta el {moment}',
  // Registration and forgot password.
  Submit: 'Enviar',
  'We send a verification code to the email address that your facility has on file for you.':
    'Enviamos un código de verificación al correo electrónico que su centro tiene registrado.',
  'Back to Sign In': 'Volver al inicio de sesión',
  'Verify Email Address': 'Verifique su correo electrónico',
  'An email with the verification code was sent to {email}.':
    'Se envió un correo con el código de verificación a {email}.',
  'Another email with the verification code was sent to {email}.':
    'Se envió otro correo con el código de verificación a {email}.',
  'It may take a minute. Please look in your spam folder too.':
    'Puede tardar un minuto. Revise también su carpeta de correo no deseado.',
  'The code in the earlier email no longer works.': 'El código del correo anterior ya no sirve.',
  Resend: 'Reenviar',
  'Verification Code': 'Código de verificación',
  'The {digits} digits in the email. They work for {minutes} minutes.':
    'Los {digits} dígitos del correo. Sirven durante {minutes} minutos.',
  'Use a different email address': 'Usar otro correo electrónico',
  'Set your password': 'Elija su contraseña',
  'For {email}. This signs you out on your other devices.':
    'Para {email}. Si tiene la sesión abierta en algún dispositivo, se cerrará.',
  '{min} to {max} characters.': 'De {min} a {max} caracteres.',
  'Password must have at most {n} characters.':
    'La contraseña debe tener {n} caracteres como máximo.',
  'Start again': 'Empezar de nuevo',
  'Registration Success': 'Registro completado',
  'You have successfully setup your account.': 'Su cuenta está lista.',
  // Maintenance request.
  Unit: 'Unidad',
  'Error loading unit names. Please refresh the page.':
    'No se pudieron cargar los nombres de las unidades. Actualice la página.',
  'What needs repair?': '¿Qué hay que reparar?',
  'Request sent': 'Solicitud enviada',
  'Select unit': 'Seleccionar unidad',
  'Issue Type': 'Tipo de problema',
  'Select issue type': 'Seleccionar tipo de problema',
  Door: 'Puerta',
  Electrical: 'Electricidad',
  Gate: 'Portón',
  'Gravel/Asphalt Repair': 'Reparación de grava o asfalto',
  Maintenance: 'Mantenimiento',
  'Transfer Parking (photo required)': 'Cambio de estacionamiento (foto obligatoria)',
  Description: 'Descripción',
  Photo: 'Foto',
  '(optional)': '(opcional)',
  'Required to transfer parking.': 'Obligatoria para cambiar de estacionamiento.',
  'A JPEG, PNG, GIF or WebP image.': 'Una imagen JPEG, PNG, GIF o WebP.',
  'The photo must be a JPEG, PNG, GIF or WebP image.':
    'La foto debe ser una imagen JPEG, PNG, GIF o WebP.',
  'The photo is empty. Please choose another one.': 'La foto está vacía. Elija otra.',
  'This browser cannot read HEIC photos. Set the phone’s camera to “Most Compatible”, or choose a screenshot.':
    'Este navegador no puede leer fotos HEIC. Ponga la cámara del teléfono en «Más compatible» o elija una captura de pantalla.',
  'Remove photo': 'Quitar la foto',
  'Choose a photo': 'Elegir una foto',
  'Choose another photo': 'Elegir otra foto',
  'Sending your photo…': 'Enviando su foto…',
  'Your photo is being checked…': 'Revisando su foto…',
  'Photo sent': 'Foto enviada',
  'The photo is too large. Please choose a smaller one.':
    'La foto es demasiado grande. Elija una más pequeña.',
  'The photo could not be read. Please choose another.': 'No se pudo leer la foto. Elija otra.',
  'Your maintenance request has been successfully submitted.':
    'Su solicitud de mantenimiento se envió correctamente.',
  'The facility will review it.': 'El centro la revisará.',
  'Send another request': 'Enviar otra solicitud',
  'What you sent with your request': 'Lo que envió con su solicitud',
  // Move-out.
  'What happens then': 'Qué pasa después',
  'The facility confirms your day. Rent and gate code go on until then.':
    'El centro confirma su día. Hasta entonces siguen la renta y el código del portón.',
  'By that day you empty the unit and take your lock off.':
    'A más tardar ese día, vacíe la unidad y quite su candado.',
  'The unit’s account is settled, and you get its final statement by email.':
    'Se liquida la cuenta de la unidad y usted recibe el estado de cuenta final por correo.',
  'What it costs': 'Cuánto cuesta',
  'What is owed on that day is still to be paid. Your lease says whether days that you paid for after it are refunded.':
    'Lo que se deba ese día queda por pagar. Su contrato dice si se devuelven los días posteriores que ya pagó.',
  '{sum} owed today': 'Hoy se deben {sum}',
  'Nothing owed today': 'Hoy no se debe nada',
  'Rent {sum} a month until you leave': 'Renta de {sum} al mes hasta que salga',
  'Moving out': 'Su salida',
  'The facility information could not be loaded.':
    'No se pudo cargar la información del centro de almacenamiento.',
  'To schedule your move-out, please call the facility.':
    'Para programar su salida, llame al centro.',
  'To schedule your move-out, please fill in the move-out form on our website. Your rental goes on until the facility has confirmed the date.':
    'Para programar su salida, llene el formulario de salida en nuestro sitio web. Su alquiler continúa hasta que el centro confirme la fecha.',
  'Go to the move-out form': 'Ir al formulario de salida',
  '(opens in a new tab)': '(se abre en otra pestaña)',
  'Questions? Call {phone}': '¿Preguntas? Llame al {phone}',
} as const;
