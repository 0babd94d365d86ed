import { labels } from '../../../db/schema/field.ts';

/** Texts of the lists of records beside the menu. */
export const listTexts = {
  more: labels('Altro', 'More', 'Autres', 'Weiteres', 'Más'),
  types: labels(
    'Tipologie',
    'Sub-categories',
    'Sous-catégories',
    'Unterkategorien',
    'Subcategorías',
  ),
  typesHint: labels(
    'Raggruppano i piatti di una sezione, per esempio «Pasta fresca» nei primi.',
    'They group the dishes of a section, such as “Fresh pasta” among the first courses.',
    'Elles regroupent les plats d’une section, par exemple « Pâtes fraîches ».',
    'Sie gruppieren die Gerichte eines Bereichs, zum Beispiel „Frische Pasta“.',
    'Agrupan los platos de una sección, por ejemplo «Pasta fresca».',
  ),
  newType: labels(
    'Nuova tipologia',
    'New sub-category',
    'Nouvelle sous-catégorie',
    'Neue Unterkategorie',
    'Nueva subcategoría',
  ),
  wineries: labels('Cantine', 'Wineries', 'Domaines viticoles', 'Weingüter', 'Bodegas'),
  wineriesHint: labels(
    'Scrivi una cantina una volta sola e sceglila poi nei suoi vini.',
    'Enter a winery once, then choose it in its wines.',
    'Saisissez un domaine une seule fois, puis choisissez-le dans ses vins.',
    'Geben Sie ein Weingut einmal ein und wählen Sie es dann bei seinen Weinen.',
    'Escribe una bodega una sola vez y elígela después en sus vinos.',
  ),
  newWinery: labels(
    'Nuova cantina',
    'New winery',
    'Nouveau domaine',
    'Neues Weingut',
    'Nueva bodega',
  ),
  empty: labels(
    'Non c’è ancora niente.',
    'There is nothing here yet.',
    'Il n’y a encore rien ici.',
    'Hier ist noch nichts.',
    'Todavía no hay nada.',
  ),
  deleted: labels('Eliminati', 'Deleted', 'Supprimés', 'Gelöscht', 'Eliminados'),
  deletedHint: labels(
    'Quello che è stato eliminato negli ultimi {days} giorni. Una sezione torna con tutto quello che conteneva.',
    'What was deleted in the last {days} days. A section comes back with everything that was in it.',
    'Ce qui a été supprimé ces {days} derniers jours. Une section revient avec tout ce qu’elle contenait.',
    'Was in den letzten {days} Tagen gelöscht wurde. Ein Bereich kommt mit allem zurück, was darin war.',
    'Lo que se eliminó en los últimos {days} días. Una sección vuelve con todo lo que contenía.',
  ),
  nothingDeleted: labels(
    'Non è stato eliminato niente.',
    'Nothing was deleted.',
    'Rien n’a été supprimé.',
    'Es wurde nichts gelöscht.',
    'No se ha eliminado nada.',
  ),
  restoreOne: labels(
    'Ripristina «{name}»',
    'Restore “{name}”',
    'Rétablir « {name} »',
    '„{name}“ wiederherstellen',
    'Recuperar «{name}»',
  ),
} as const;
