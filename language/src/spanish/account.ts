export const account = {
  Language: 'Idioma',
  'Mails and text messages come in this language too.':
    'Los correos y los mensajes de texto también llegan en este idioma.',
  'Your language could not be loaded.': 'No se pudo cargar su idioma.',
  'Language must be English or Spanish.': 'El idioma debe ser inglés o español.',
} as const;
