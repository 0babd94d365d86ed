import { labels } from '../../../db/schema/field.ts';
import { editorTexts } from './editor.ts';

/** Hints for fields whose label does not suffice. */
export const FIELD_HELP: Record<string, ReturnType<typeof labels>> = {
  price_on_request: labels(
    'Gli ospiti leggono «su richiesta» al posto del prezzo.',
    'Guests read “on request” instead of the price.',
    'Les clients lisent « sur demande » au lieu du prix.',
    'Gäste lesen „auf Anfrage“ statt des Preises.',
    'Los clientes leen «a consultar» en lugar del precio.',
  ),
  is_active: labels(
    'Senza la spunta non si vede sul menù.',
    'Without the tick it is not shown on the menu.',
    'Si la case n’est pas cochée, cela n’apparaît pas sur la carte.',
    'Ohne Häkchen ist der Eintrag auf der Karte nicht zu sehen.',
    'Sin la marca no se ve en la carta.',
  ),
  type_id: labels(
    'Solo fra quelle della stessa sezione. Le tipologie si aggiungono dalla pagina del menù.',
    'One of the same section only. You add sub-categories from the page of the menu.',
    'Seulement une de la même section. Les sous-catégories s’ajoutent depuis la page de la carte.',
    'Nur eine desselben Bereichs. Unterkategorien fügen Sie auf der Seite der Karte hinzu.',
    'Solo una de la misma sección. Las subcategorías se añaden en la página de la carta.',
  ),
  winery_id: labels(
    'Le cantine si aggiungono dalla pagina del menù.',
    'You add wineries from the page of the menu.',
    'Les domaines s’ajoutent depuis la page de la carte.',
    'Weingüter fügen Sie auf der Seite der Karte hinzu.',
    'Las bodegas se añaden en la página de la carta.',
  ),
  external_id: labels(
    'Il codice usato dalla cassa o da un altro programma. Di solito vuoto.',
    'The code that a till or another program uses. Usually empty.',
    'Le code utilisé par la caisse ou un autre programme. Le plus souvent vide.',
    'Der Code, den die Kasse oder ein anderes Programm verwendet. Meist leer.',
    'El código que usa la caja u otro programa. Normalmente vacío.',
  ),
  photo_url: labels(
    'L’indirizzo di un’immagine, che comincia con https://',
    'The address of a picture, which begins with https://',
    'L’adresse d’une image, qui commence par https://',
    'Die Adresse eines Bildes, die mit https:// beginnt',
    'La dirección de una imagen, que empieza por https://',
  ),
  photo_alt: labels(
    'Che cosa si vede nella foto, per chi non può vederla.',
    'What the photo shows, for those who cannot see it.',
    'Ce que montre la photo, pour ceux qui ne la voient pas.',
    'Was das Foto zeigt, für alle, die es nicht sehen können.',
    'Qué muestra la foto, para quien no puede verla.',
  ),
  timezone: labels(
    'Per esempio Europe/Rome.',
    'For example Europe/Rome.',
    'Par exemple Europe/Rome.',
    'Zum Beispiel Europe/Rome.',
    'Por ejemplo Europe/Rome.',
  ),
  currency: labels(
    'Il codice di tre lettere, per esempio EUR o CHF.',
    'The code of three letters, such as EUR or CHF.',
    'Le code de trois lettres, par exemple EUR ou CHF.',
    'Der Code aus drei Buchstaben, etwa EUR oder CHF.',
    'El código de tres letras, por ejemplo EUR o CHF.',
  ),
  border_radius: labels(
    'Una misura come 8px; 0 per angoli vivi.',
    'A length such as 8px; 0 for square corners.',
    'Une mesure comme 8px ; 0 pour des coins droits.',
    'Ein Maß wie 8px; 0 für eckige Ecken.',
    'Una medida como 8px; 0 para esquinas rectas.',
  ),
  font_family: labels(
    'Nomi di caratteri separati da virgole; vale il primo che il telefono ha.',
    'Names of fonts with commas between them; the first that the phone has is used.',
    'Noms de polices séparés par des virgules ; la première que le téléphone connaît est utilisée.',
    'Namen von Schriften mit Kommas dazwischen; die erste, die das Telefon hat, gilt.',
    'Nombres de tipos de letra separados por comas; vale el primero que tenga el teléfono.',
  ),
  font_url: labels(
    'L’indirizzo di un foglio di stile che carica il carattere. Di solito vuoto.',
    'The address of a stylesheet that loads the font. Usually empty.',
    'L’adresse d’une feuille de style qui charge la police. Le plus souvent vide.',
    'Die Adresse eines Stylesheets, das die Schrift lädt. Meist leer.',
    'La dirección de una hoja de estilo que carga el tipo de letra. Normalmente vacía.',
  ),
  embed_origins: labels(
    'I loro indirizzi, per esempio https://www.example.com, separati da spazi. Di solito vuoto.',
    'Their addresses, such as https://www.example.com, with spaces between them. Usually empty.',
    'Leurs adresses, par exemple https://www.example.com, séparées par des espaces. Le plus souvent vide.',
    'Ihre Adressen, etwa https://www.example.com, mit Leerzeichen dazwischen. Meist leer.',
    'Sus direcciones, por ejemplo https://www.example.com, separadas por espacios. Normalmente vacío.',
  ),
  weekdays: editorTexts.allDays,
};
