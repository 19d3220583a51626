/** The frame around the pages: titles, menu, notices, what a call says that fails. */
export const portal = {
  'Your storage rentals: balance, payments, autopay, gate access.':
    'Sus alquileres: saldo, pagos, pago automático, acceso al portón.',
  'This site needs JavaScript to sign you in. Please turn it on, or call your facility.':
    'Este sitio necesita JavaScript para iniciar su sesión. Actívelo o llame a su centro de almacenamiento.',
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
  'Sign in with a passkey': 'Iniciar sesión con una llave de acceso',
  'Keep me signed in on this phone by passkey':
    'Mantener la sesión abierta en este teléfono con una llave de acceso',
  "Don't have an account yet?": '¿Aún no tiene cuenta?',
  'Sign up': 'Regístrese',
  'You were signed out because nothing happened for 30 minutes. Please sign in again.':
    'Su sesión se cerró tras 30 minutos sin actividad. Inicie sesión de nuevo.',
  'Your session has ended. Please sign in again.': 'Su sesión terminó. Inicie sesión de nuevo.',
};
