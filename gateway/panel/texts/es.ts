import type { Texts } from './texts.ts';

export const spanish: Texts = {
  language: 'es',
  skipToContent: 'Ir al contenido',
  panel: 'Panel',
  signedInAs: 'Sesión de',
  signOut: 'Salir',
  servedBy: 'Lavagna sirve la carta',
  signIn: {
    title: 'Entrar en el panel',
    intro: 'Desde aquí cambias la carta del restaurante y todo lo que la acompaña.',
    email: 'Correo electrónico',
    password: 'Contraseña',
    submit: 'Entrar',
    emailMissing: 'Escribe tu correo electrónico.',
    passwordMissing: 'Escribe tu contraseña.',
    wrong: 'El correo o la contraseña no son correctos.',
    tooMany: (minutes) =>
      `Demasiados intentos fallidos. Vuelve a intentarlo en ${minutes === 1 ? 'un minuto' : `${minutes} minutos`}.`,
    busy: 'Ahora mismo entran demasiadas personas. Vuelve a intentarlo en unos segundos.',
    expired: 'Tu sesión ha caducado. Entra de nuevo para continuar.',
    signedOut: 'Has salido del panel.',
    forgotten:
      '¿Has olvidado la contraseña? La persona que gestiona Lavagna para ti puede darte una nueva.',
  },
  tokens: {
    title: 'Tokens de acceso',
    intro:
      'Un token es la llave con la que un programa, como tu web o tu caja, trabaja con la carta en tu nombre. Crea uno para cada programa: así puedes revocar uno sin parar los demás.',
    list: 'Los tokens del restaurante',
    empty: 'Todavía no hay tokens',
    emptyHint: 'Crea el primero en «Nuevo token»: bastan un nombre y un permiso.',
    created: 'Creado',
    owner: 'Por',
    lastUsed: 'Último uso',
    neverUsed: 'Nunca usado',
    revoked: 'Revocado',
    active: (count) => (count === 1 ? '1 activo' : `${count} activos`),
    states: { active: 'Activo', due: 'Por renovar', revoked: 'Revocado' },
    due: 'Tiene más de 90 días. Crea uno nuevo, ponlo en su lugar y después revoca este.',
    more: 'Los tokens revocados hace más tiempo no están en la lista.',
    mayDo: 'Permisos',
  },
  form: {
    title: 'Nuevo token',
    name: 'Nombre',
    nameHint: '¿Quién lo va a usar? Por ejemplo «Web» o «Caja».',
    scopes: 'Qué puede hacer',
    scopesHint: 'Marca solo lo necesario: después no se puede cambiar.',
    submit: 'Crear el token',
    nameMissing: 'Ponle un nombre al token.',
    nameTooLong: (max) => `El nombre puede tener ${max} caracteres como máximo.`,
    scopeMissing: 'Marca al menos un permiso.',
    full: (max) => `Ya hay ${max} tokens activos. Revoca uno que ya no haga falta.`,
    errors: (count) =>
      count === 1
        ? 'El token no se ha creado: revisa el campo marcado.'
        : 'El token no se ha creado: revisa los campos marcados.',
  },
  scopes: {
    'menu:read': {
      title: 'Leer la carta',
      hint: 'Toda la carta, también los platos no publicados.',
    },
    'menu:write': {
      title: 'Cambiar la carta',
      hint: 'Platos, vinos, secciones, datos y colores.',
    },
    'availability:write': {
      title: 'Marcar platos agotados',
      hint: 'Y de nuevo disponibles; nada más. Para una tableta en la cocina.',
    },
    'analytics:read': {
      title: 'Leer las estadísticas',
      hint: 'Cuántas veces se miran la carta y sus platos.',
    },
  },
  reveal: {
    title: (name) => `El token «${name}» está listo`,
    once: 'Cópialo ahora: por seguridad su valor solo se muestra esta vez.',
    value: 'Valor del token',
    copy: 'Copiar',
    copied: 'Copiado',
    notCopied: 'Seleccionado: cópialo con el teclado',
    advice:
      'Pégalo en los ajustes del programa que lo va a usar, nunca en una página web. Si se pierde, revócalo y crea otro.',
    gone: (name) =>
      `El token «${name}» ya se ha creado y su valor se muestra una sola vez. Si no lo copiaste, revócalo y crea otro.`,
  },
  revoke: {
    action: 'Revocar',
    actionOn: (name) => `Revocar el token «${name}»`,
    title: (name) => `¿Revocar «${name}»?`,
    effect:
      'El programa que lo usa queda rechazado desde este momento. Es definitivo: para darle acceso otra vez hará falta un token nuevo.',
    confirm: 'Revocar el token',
    cancel: 'Cancelar',
    done: (name) => `El token «${name}» está revocado: se rechaza desde ahora.`,
  },
  failures: {
    stale:
      'La página llevaba demasiado tiempo abierta o el navegador rechaza las cookies. Inténtalo de nuevo.',
    notSignedOutTitle: 'No has salido del panel',
    notSignedOut:
      'La petición de salir llegó desde otra página y no se ha hecho. Para salir, pulsa «Salir» en el panel.',
    notFoundTitle: 'Token no encontrado',
    notFound: 'Este token no existe, o se eliminó con su propietario.',
    nothing: 'Aquí ya no hay nada que cambiar.',
    tooLargeTitle: 'Formulario demasiado grande',
    tooLarge: 'Lo que se ha enviado es demasiado largo. No ha cambiado nada.',
    wrongTypeTitle: 'Formato no válido',
    wrongType: 'Esta página solo acepta su propio formulario. No ha cambiado nada.',
    unavailableTitle: 'Un momento, por favor',
    unavailable:
      'El panel no puede responder. La carta sigue funcionando: inténtalo en unos segundos.',
    back: 'Volver a los tokens',
  },
};
