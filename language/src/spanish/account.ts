export const account = {
  Account: 'Cuenta',
  'Sign-in and passkeys': 'Inicio de sesión y llaves',
  'Passkey added': 'Llave de acceso agregada',
  'No passkey yet': 'Aún sin llave',
  '{n, plural, one {# passkey} other {# passkeys}}':
    '{n, plural, one {# llave de acceso} other {# llaves de acceso}}',
  'This browser only': 'Solo este navegador',
  '{n, plural, one {# browser} other {# browsers}}':
    '{n, plural, one {# navegador} other {# navegadores}}',
  'By text message': 'Por mensaje de texto',
  'By email': 'Por correo',
  Off: 'Desactivados',
  'Not created yet': 'Sin crear',
  Created: 'Creado',
  'None open': 'Ninguna abierta',
  '{n, plural, one {# open} other {# open}}': '{n, plural, one {# abierta} other {# abiertas}}',
  '{n} on file': '{n, plural, one {# archivado} other {# archivados}}',
  'Your lease asks for it. Afterwards we show only its last digits.':
    'Su contrato la pide. Después solo se muestran los últimos dígitos.',
  // Each page names its own language: what is English there is Spanish here.
  'Keep English?': '¿Seguir en español?',
  'Your account is in Spanish. Your answer counts on every device, and for emails.':
    'Su cuenta está en inglés. Su respuesta vale en todos sus dispositivos y para los correos.',
  'Keep English': 'Seguir en español',
  'Use Spanish': 'Usar inglés',
  'Your account is in English now, on every device.':
    'Su cuenta está ahora en español, en todos sus dispositivos.',
  Language: 'Idioma',
  'Emails and text messages come in this language too.':
    'Los correos y los mensajes de texto también llegan en este idioma.',
  'Your language could not be loaded.': 'No se pudo cargar su idioma.',
  'Language must be English or Spanish.': 'El idioma debe ser inglés o español.',
} as const;
