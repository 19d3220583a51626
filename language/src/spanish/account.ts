export const account = {
  'Language must be English or Spanish.': 'El idioma debe ser inglés o español.',
} as const;
