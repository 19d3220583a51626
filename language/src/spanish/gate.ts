/** The gate: its row, pass and requests, and the page of the kept pass. */
export const gate = {
  'If this unit is locked out, paying what is owed comes first: {sum}.':
    'Si el portón está bloqueado para esta unidad, primero hay que pagar lo que se debe: {sum}.',
  'Write one sentence why.': 'Escriba en una frase por qué.',
  'Gate Access': 'Acceso al portón',
  'Gate code': 'Código del portón',
  'Gate pass': 'Pase del portón',
  'The gate access could not be loaded.': 'No se pudo cargar el acceso al portón.',
  'No gate access data available': 'No hay datos de acceso al portón',
  'Locked out': 'Bloqueado',
  'Not open yet': 'Aún no está abierto',
  'Copy the gate code of {unit}': 'Copiar el código del portón de {unit}',
  'Show all {count} gate passes': 'Mostrar los {count} pases',
  'Balance {sum}': 'Saldo {sum}',
  '{number} of {count}': '{number} de {count}',
  '{count} locked out': '{count, plural, one {# bloqueado} other {# bloqueados}}',
  '{unit} is open': '{unit} está abierto',
  'The gate is open. Gate code of {unit}: {code}':
    'El portón está abierto. Código del portón de {unit}: {code}',
  'for {unit} and open the gate': 'por la unidad {unit} y abrir el portón',
  // 24-hour access.
  'Request 24-hour access': 'Pedir acceso las 24 horas',
  'For unit {unit}. Tell the facility why you need to come outside business hours.':
    'Para la unidad {unit}. Indique al centro por qué necesita venir fuera del horario comercial.',
  '24-hour access': 'Acceso las 24 horas',
  'Request successfully sent': 'Se envió la solicitud',
  'Send request': 'Enviar solicitud',
  Reason: 'Motivo',
  // A kept session.
  'This gate code is new on this phone.': 'Este código del portón es nuevo en este teléfono.',
  'Show code': 'Ver código',
  // The kept pass.
  'Keep gate pass': 'Guardar pase',
  'Not now': 'Ahora no',
  'Code and hours open on this phone without a connection, for seven days or until your next payment is due. Whoever holds this phone unlocked can read them.':
    'El código y el horario se ven en este teléfono sin conexión, durante siete días o hasta que venza su próximo pago. Quien tenga este teléfono desbloqueado puede verlos.',
  'The gate pass could not be kept. Check your connection and try again.':
    'No se pudo guardar el pase del portón. Revise su conexión e inténtelo de nuevo.',
  'from this phone': 'del teléfono',
  'Keep on this phone': 'Guardar en el teléfono',
  'No gate is open: nothing is kept on this phone.':
    'Ahora no tiene acceso a ningún portón: no se guarda nada en este teléfono.',
  'Kept on this phone until {date}': 'Guardado en este teléfono hasta el {date}',
  'The portal did not answer yet.': 'El portal aún no responde.',
  'No connection.': 'No hay conexión.',
  '{lead} Payments, changes and requests have to wait until there is one.':
    '{lead} Los pagos, los cambios y las solicitudes deben esperar hasta que la haya.',
  'No gate pass is kept on this phone, or it has ended. With a connection you see your code in the portal.':
    'No hay ningún pase guardado en este teléfono, o ya terminó. Con conexión puede ver su código en el portal.',
  'Open the portal': 'Abrir el portal',
  'As of {day}, {time}. A code that was changed since does not open the gate.':
    'Datos del {day}, {time}. Un código que se haya cambiado después no abre el portón.',
  'Shown until {date}': 'Se muestra hasta el {date}',
} as const;
