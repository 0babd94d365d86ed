import type { Texts } from './texts.ts';

export const french: Texts = {
  language: 'fr',
  skipToContent: 'Aller au contenu',
  panel: 'Gestion',
  signedInAs: 'Connecté en tant que',
  signOut: 'Se déconnecter',
  servedBy: 'La carte est servie par Lavagna',
  signIn: {
    title: 'Se connecter',
    intro: 'Ici vous modifiez la carte du restaurant et tout ce qui va avec.',
    email: 'E-mail',
    password: 'Mot de passe',
    submit: 'Se connecter',
    emailMissing: 'Saisissez votre adresse e-mail.',
    passwordMissing: 'Saisissez votre mot de passe.',
    wrong: 'L’e-mail ou le mot de passe est incorrect.',
    tooMany: (minutes) =>
      `Trop de tentatives échouées. Réessayez dans ${minutes === 1 ? 'une minute' : `${minutes} minutes`}.`,
    busy: 'Trop de personnes se connectent en ce moment. Réessayez dans quelques secondes.',
    expired: 'Votre session a expiré. Connectez-vous de nouveau pour continuer.',
    signedOut: 'Vous êtes déconnecté.',
    forgotten:
      'Mot de passe oublié ? La personne qui gère Lavagna pour vous peut vous en donner un nouveau.',
  },
  tokens: {
    title: 'Jetons d’accès',
    intro:
      'Un jeton est la clé avec laquelle un programme, comme votre site ou votre caisse, travaille avec la carte à votre place. Créez-en un pour chacun : vous pourrez en révoquer un sans arrêter les autres.',
    list: 'Les jetons du restaurant',
    empty: 'Il n’y a pas encore de jeton',
    emptyHint: 'Créez le premier sous « Nouveau jeton » : un nom et une autorisation suffisent.',
    created: 'Créé',
    owner: 'Par',
    lastUsed: 'Dernière utilisation',
    neverUsed: 'Jamais utilisé',
    revoked: 'Révoqué',
    active: (count) => (count === 1 ? '1 actif' : `${count} actifs`),
    states: { active: 'Actif', due: 'À renouveler', revoked: 'Révoqué' },
    due: 'Il a plus de 90 jours. Créez-en un nouveau, mettez-le en place, puis révoquez celui-ci.',
    more: 'Les jetons révoqués depuis le plus longtemps ne sont pas affichés.',
    mayDo: 'Autorisations',
  },
  form: {
    title: 'Nouveau jeton',
    name: 'Nom',
    nameHint: 'Qui va l’utiliser ? Par exemple « Site web » ou « Caisse ».',
    scopes: 'Ce qu’il peut faire',
    scopesHint: 'Cochez seulement le nécessaire : cela ne peut plus être changé.',
    submit: 'Créer le jeton',
    nameMissing: 'Donnez un nom au jeton.',
    nameTooLong: (max) => `Le nom peut avoir ${max} caractères au plus.`,
    scopeMissing: 'Cochez au moins une autorisation.',
    full: (max) => `Il y a déjà ${max} jetons actifs. Révoquez-en un qui ne sert plus.`,
    errors: (count) =>
      count === 1
        ? 'Le jeton n’a pas été créé : vérifiez le champ signalé.'
        : 'Le jeton n’a pas été créé : vérifiez les champs signalés.',
  },
  scopes: {
    'menu:read': {
      title: 'Lire la carte',
      hint: 'Toute la carte, plats non publiés compris.',
    },
    'menu:write': {
      title: 'Modifier la carte',
      hint: 'Plats, vins, sections, informations et couleurs.',
    },
    'availability:write': {
      title: 'Signaler les plats épuisés',
      hint: 'Et de nouveau disponibles ; rien d’autre. Pour une tablette en cuisine.',
    },
    'analytics:read': {
      title: 'Lire les statistiques',
      hint: 'Combien de fois la carte et ses plats sont consultés.',
    },
  },
  reveal: {
    title: (name) => `Le jeton « ${name} » est prêt`,
    once: 'Copiez-le maintenant : par sécurité, sa valeur n’est affichée que cette fois.',
    value: 'Valeur du jeton',
    copy: 'Copier',
    copied: 'Copié',
    notCopied: 'Sélectionné : copiez-le avec le clavier',
    advice:
      'Collez-le dans les réglages du programme qui l’utilisera, jamais dans une page web. S’il se perd, révoquez-le et créez-en un autre.',
    gone: (name) =>
      `Le jeton « ${name} » a déjà été créé, et sa valeur ne s’affiche qu’une seule fois. Si vous ne l’avez pas copiée, révoquez-le et créez-en un autre.`,
  },
  revoke: {
    action: 'Révoquer',
    actionOn: (name) => `Révoquer le jeton « ${name} »`,
    title: (name) => `Révoquer « ${name} » ?`,
    effect:
      'Le programme qui l’utilise est refusé aussitôt. C’est définitif : pour lui redonner accès, il faudra un nouveau jeton.',
    confirm: 'Révoquer le jeton',
    cancel: 'Annuler',
    done: (name) => `Le jeton « ${name} » est révoqué : il est refusé dès maintenant.`,
  },
  failures: {
    stale:
      'La page était ouverte depuis trop longtemps, ou le navigateur refuse les cookies. Réessayez.',
    notSignedOutTitle: 'Vous n’êtes pas déconnecté',
    notSignedOut:
      'La demande de déconnexion venait d’une autre page et a été refusée. Pour vous déconnecter, appuyez sur « Se déconnecter » dans cette page.',
    notFoundTitle: 'Jeton introuvable',
    notFound: 'Ce jeton n’existe pas, ou il a été supprimé avec son propriétaire.',
    nothing: 'Il n’y a plus rien à modifier ici.',
    tooLargeTitle: 'Formulaire trop grand',
    tooLarge: 'Ce qui a été envoyé est trop long. Rien n’a changé.',
    wrongTypeTitle: 'Format non valide',
    wrongType: 'Cette page n’accepte que son propre formulaire. Rien n’a changé.',
    unavailableTitle: 'Un instant, s’il vous plaît',
    unavailable:
      'Cette page ne peut pas répondre. La carte continue de fonctionner : réessayez dans quelques secondes.',
    back: 'Retour aux jetons',
  },
};
