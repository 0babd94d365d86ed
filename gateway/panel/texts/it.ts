import type { Texts } from './texts.ts';

export const italian: Texts = {
  language: 'it',
  skipToContent: 'Vai al contenuto',
  panel: 'Pannello',
  signedInAs: 'Accesso eseguito come',
  signOut: 'Esci',
  servedBy: 'Il menù è servito da Lavagna',
  signIn: {
    title: 'Accedi al pannello',
    intro: 'Da qui cambi il menù del ristorante e tutto quello che lo accompagna.',
    email: 'E-mail',
    password: 'Password',
    submit: 'Accedi',
    emailMissing: 'Scrivi il tuo indirizzo e-mail.',
    passwordMissing: 'Scrivi la password.',
    wrong: 'E-mail o password non corretti.',
    tooMany: (minutes) =>
      `Troppi tentativi non riusciti. Riprova fra ${minutes === 1 ? 'un minuto' : `${minutes} minuti`}.`,
    busy: 'In questo momento stanno accedendo in troppi. Riprova fra qualche secondo.',
    expired: 'La sessione è scaduta. Accedi di nuovo per continuare.',
    signedOut: 'Sei uscito dal pannello.',
    forgotten: 'Password dimenticata? Te ne può dare una nuova chi gestisce Lavagna per te.',
  },
  tokens: {
    title: 'Token di accesso',
    intro:
      'Un token è la chiave con cui un programma, come il sito o la cassa, lavora con il menù al posto tuo. Creane uno per ciascuno: così puoi revocarne uno senza fermare gli altri.',
    list: 'I token del ristorante',
    empty: 'Non c’è ancora nessun token',
    emptyHint: 'Il primo si crea con il modulo «Nuovo token»: bastano un nome e un permesso.',
    created: 'Creato',
    owner: 'Da',
    lastUsed: 'Ultimo uso',
    neverUsed: 'Mai usato',
    revoked: 'Revocato',
    active: (count) => (count === 1 ? '1 attivo' : `${count} attivi`),
    states: { active: 'Attivo', due: 'Da rinnovare', revoked: 'Revocato' },
    due: 'Ha più di 90 giorni. Creane uno nuovo, mettilo al suo posto e poi revoca questo.',
    more: 'I token revocati da più tempo non sono in elenco.',
    mayDo: 'Permessi',
  },
  form: {
    title: 'Nuovo token',
    name: 'Nome',
    nameHint: 'Chi lo userà? Per esempio «Sito web» o «Cassa».',
    scopes: 'Che cosa può fare',
    scopesHint: 'Scegli solo ciò che serve: dopo non si può cambiare.',
    submit: 'Genera il token',
    nameMissing: 'Dai un nome al token.',
    nameTooLong: (max) => `Il nome può avere al massimo ${max} caratteri.`,
    scopeMissing: 'Scegli almeno un permesso.',
    full: (max) => `Ci sono già ${max} token attivi. Revocane uno che non serve più.`,
    errors: (count) =>
      count === 1
        ? 'Il token non è stato creato: controlla il campo segnato.'
        : 'Il token non è stato creato: controlla i campi segnati.',
  },
  scopes: {
    'menu:read': {
      title: 'Leggere il menù',
      hint: 'Tutto il menù, anche i piatti non pubblicati.',
    },
    'menu:write': {
      title: 'Modificare il menù',
      hint: 'Piatti, vini, sezioni, dati e colori del ristorante.',
    },
    'availability:write': {
      title: 'Segnare i piatti esauriti',
      hint: 'E di nuovo disponibili; nient’altro. Per un tablet in cucina.',
    },
    'analytics:read': {
      title: 'Leggere le statistiche',
      hint: 'Quante volte menù e piatti vengono guardati.',
    },
  },
  reveal: {
    title: (name) => `Il token «${name}» è pronto`,
    once: 'Copialo adesso: per sicurezza il suo valore compare solo questa volta.',
    value: 'Valore del token',
    copy: 'Copia',
    copied: 'Copiato',
    notCopied: 'Selezionato: copialo con la tastiera',
    advice:
      'Incollalo nelle impostazioni del programma che lo userà, mai in una pagina web. Se si perde, revocalo e creane un altro.',
    gone: (name) =>
      `Il token «${name}» è già stato creato e il suo valore si vede una sola volta. Se non l’hai copiato, revocalo e creane un altro.`,
  },
  revoke: {
    action: 'Revoca',
    actionOn: (name) => `Revoca il token «${name}»`,
    title: (name) => `Revocare «${name}»?`,
    effect:
      'Il programma che lo usa viene rifiutato da subito. La revoca è definitiva: per ridargli l’accesso servirà un token nuovo.',
    confirm: 'Revoca il token',
    cancel: 'Annulla',
    done: (name) => `Il token «${name}» è revocato: da ora viene rifiutato.`,
  },
  failures: {
    stale: 'La pagina era aperta da troppo tempo oppure il browser rifiuta i cookie. Riprova.',
    notSignedOutTitle: 'Non sei uscito dal pannello',
    notSignedOut:
      'La richiesta di uscire è arrivata da un’altra pagina e non è stata eseguita. Per uscire premi «Esci» nel pannello.',
    notFoundTitle: 'Token non trovato',
    notFound: 'Questo token non c’è, oppure è stato eliminato con il suo proprietario.',
    nothing: 'Qui non c’è più niente da cambiare.',
    tooLargeTitle: 'Modulo troppo grande',
    tooLarge: 'Quello che è stato inviato è troppo lungo. Non è cambiato nulla.',
    wrongTypeTitle: 'Formato non valido',
    wrongType: 'Questa pagina accetta solo i dati del suo modulo. Non è cambiato nulla.',
    unavailableTitle: 'Un momento, per favore',
    unavailable:
      'Il pannello non riesce a rispondere. Il menù continua a funzionare: riprova fra qualche secondo.',
    back: 'Torna ai token',
  },
};
