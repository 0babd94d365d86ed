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
    'Se non è visibile, gli ospiti non lo trovano sul menù.',
    'When it is not visible, guests do not find it on the menu.',
    'S’il n’est pas visible, les clients ne le trouvent pas sur la carte.',
    'Ist es nicht sichtbar, finden Gäste es nicht auf der Karte.',
    'Si no es visible, los clientes no lo encuentran en la carta.',
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
    'Il codice con cui la cassa o un altro programma lo riconosce. Di solito vuoto.',
    'The code by which a till or another program knows it. Usually empty.',
    'Le code par lequel la caisse ou un autre programme le reconnaît. Le plus souvent vide.',
    'Der Code, an dem die Kasse oder ein anderes Programm es erkennt. Meist leer.',
    'El código con el que la caja u otro programa lo reconoce. Normalmente vacío.',
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
    'Nombres de letras separados por comas; vale la primera que tenga el teléfono.',
  ),
  weekdays: editorTexts.allDays,
};
