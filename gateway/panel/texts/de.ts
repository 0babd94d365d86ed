import type { Texts } from './texts.ts';

export const german: Texts = {
  language: 'de',
  skipToContent: 'Zum Inhalt',
  panel: 'Verwaltung',
  signedInAs: 'Angemeldet als',
  signOut: 'Abmelden',
  servedBy: 'Die Speisekarte kommt von Lavagna',
  signIn: {
    title: 'Anmelden',
    intro: 'Hier ändern Sie die Speisekarte des Restaurants und alles, was dazugehört.',
    email: 'E-Mail',
    password: 'Passwort',
    submit: 'Anmelden',
    emailMissing: 'Geben Sie Ihre E-Mail-Adresse ein.',
    passwordMissing: 'Geben Sie Ihr Passwort ein.',
    wrong: 'E-Mail oder Passwort ist falsch.',
    tooMany: (minutes) =>
      `Zu viele Fehlversuche. Versuchen Sie es in ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`} wieder.`,
    busy: 'Im Moment melden sich zu viele an. Versuchen Sie es in einigen Sekunden wieder.',
    expired: 'Ihre Sitzung ist abgelaufen. Melden Sie sich wieder an, um fortzufahren.',
    signedOut: 'Sie haben sich abgemeldet.',
    forgotten:
      'Passwort vergessen? Ein neues bekommen Sie von der Person, die Lavagna für Sie betreibt.',
  },
  tokens: {
    title: 'Zugangs-Token',
    intro:
      'Ein Token ist der Schlüssel, mit dem ein Programm, etwa die Website oder die Kasse, für Sie mit der Speisekarte arbeitet. Erstellen Sie für jedes ein eigenes: So können Sie eines widerrufen, ohne die anderen anzuhalten.',
    list: 'Die Token des Restaurants',
    empty: 'Es gibt noch keine Token',
    emptyHint:
      'Erstellen Sie das erste unter „Neues Token“: Ein Name und eine Berechtigung genügen.',
    created: 'Erstellt',
    owner: 'Von',
    lastUsed: 'Zuletzt benutzt',
    neverUsed: 'Nie benutzt',
    revoked: 'Widerrufen',
    active: (count) => `${count} aktiv`,
    states: { active: 'Aktiv', due: 'Zu erneuern', revoked: 'Widerrufen' },
    due: 'Älter als 90 Tage. Erstellen Sie ein neues, setzen Sie es ein und widerrufen Sie dann dieses.',
    more: 'Vor längerer Zeit widerrufene Token sind nicht aufgeführt.',
    mayDo: 'Berechtigungen',
  },
  form: {
    title: 'Neues Token',
    name: 'Name',
    nameHint: 'Wer wird es benutzen? Zum Beispiel „Website“ oder „Kasse“.',
    scopes: 'Was es darf',
    scopesHint: 'Wählen Sie nur, was nötig ist: Später lässt es sich nicht ändern.',
    submit: 'Token erstellen',
    nameMissing: 'Geben Sie dem Token einen Namen.',
    nameTooLong: (max) => `Der Name darf höchstens ${max} Zeichen haben.`,
    scopeMissing: 'Wählen Sie mindestens eine Berechtigung.',
    full: (max) =>
      `Es gibt schon ${max} aktive Token. Widerrufen Sie eines, das nicht mehr gebraucht wird.`,
    errors: (count) =>
      count === 1
        ? 'Das Token wurde nicht erstellt: Prüfen Sie das markierte Feld.'
        : 'Das Token wurde nicht erstellt: Prüfen Sie die markierten Felder.',
  },
  scopes: {
    'menu:read': {
      title: 'Speisekarte lesen',
      hint: 'Die ganze Karte, auch nicht veröffentlichte Gerichte.',
    },
    'menu:write': {
      title: 'Speisekarte ändern',
      hint: 'Gerichte, Weine, Bereiche, Angaben und Farben.',
    },
    'availability:write': {
      title: 'Gerichte als ausverkauft melden',
      hint: 'Und wieder als verfügbar; sonst nichts. Für ein Tablet in der Küche.',
    },
    'analytics:read': {
      title: 'Statistik lesen',
      hint: 'Wie oft die Karte und ihre Gerichte angesehen werden.',
    },
  },
  reveal: {
    title: (name) => `Das Token „${name}“ ist bereit`,
    once: 'Kopieren Sie es jetzt: Zur Sicherheit wird sein Wert nur dieses eine Mal gezeigt.',
    value: 'Wert des Tokens',
    copy: 'Kopieren',
    copied: 'Kopiert',
    notCopied: 'Ausgewählt: Kopieren Sie es mit der Tastatur',
    advice:
      'Fügen Sie es in die Einstellungen des Programms ein, das es benutzt, nie in eine Webseite. Geht es verloren, widerrufen Sie es und erstellen Sie ein neues.',
    gone: (name) =>
      `Das Token „${name}“ wurde schon erstellt, und sein Wert wird nur einmal gezeigt. Haben Sie ihn nicht kopiert, widerrufen Sie das Token und erstellen Sie ein neues.`,
  },
  revoke: {
    action: 'Widerrufen',
    actionOn: (name) => `Token „${name}“ widerrufen`,
    title: (name) => `„${name}“ widerrufen?`,
    effect:
      'Das Programm, das es benutzt, wird sofort abgewiesen. Das ist endgültig: Für einen neuen Zugang brauchen Sie ein neues Token.',
    confirm: 'Token widerrufen',
    cancel: 'Abbrechen',
    done: (name) => `Das Token „${name}“ ist widerrufen: Es wird ab jetzt abgewiesen.`,
  },
  failures: {
    stale:
      'Die Seite war zu lange offen, oder der Browser nimmt keine Cookies an. Versuchen Sie es noch einmal.',
    notSignedOutTitle: 'Sie sind nicht abgemeldet',
    notSignedOut:
      'Die Bitte um Abmeldung kam von einer anderen Seite und wurde abgewiesen. Zum Abmelden drücken Sie hier auf „Abmelden“.',
    notFoundTitle: 'Token nicht gefunden',
    notFound: 'Dieses Token gibt es nicht, oder es wurde mit seinem Besitzer gelöscht.',
    nothing: 'Hier gibt es nichts mehr zu ändern.',
    tooLargeTitle: 'Formular zu groß',
    tooLarge: 'Was gesendet wurde, ist zu lang. Es wurde nichts geändert.',
    wrongTypeTitle: 'Ungültiges Format',
    wrongType: 'Diese Seite nimmt nur ihr eigenes Formular an. Es wurde nichts geändert.',
    unavailableTitle: 'Einen Moment, bitte',
    unavailable:
      'Diese Seite kann gerade nicht antworten. Die Speisekarte läuft weiter: Versuchen Sie es in einigen Sekunden wieder.',
    back: 'Zurück zu den Token',
  },
};
