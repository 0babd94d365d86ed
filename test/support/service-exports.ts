// Menus in the shapes that services give, written by hand after their references.

/** The price of a size, by the rules of Toast. */
const sizeOf = (sizeName: string, sizeGuid: string, price: number) => {
  return { sizeName, sizeGuid, sequencePrices: [{ sequence: 1, price }] };
};

/** GET /menus/v2/menus of Toast. */
export const toastMenus = {
  restaurantGuid: 'r-1',
  lastUpdated: '2026-11-01T10:00:00.000+0000',
  restaurantTimeZone: 'America/New_York',
  menus: [
    {
      ...{ name: 'Dinner', guid: 'm-1', visibility: ['POS'] },
      availability: { alwaysAvailable: true },
      menuGroups: [
        {
          ...{ name: 'Pizza', guid: 'g-1', description: 'From the oven' },
          menuItems: [
            {
              ...{ name: 'Margherita Pizza', guid: 'i-1', multiLocationId: '100', price: null },
              ...{ description: 'Tomato and mozzarella', pricingStrategy: 'SIZE_PRICE' },
              pricingRules: {
                sizeSpecificPricingGuid: 'size-1',
                sizeSequencePricingRules: [sizeOf('Small', 's', 12), sizeOf('Large', 'l', 16)],
              },
              itemTags: [
                { name: 'Vegetarian', guid: 't-1' },
                { name: 'Chef pick', guid: 't-2' },
              ],
              ...{ calories: 820, unitOfMeasure: 'NONE', visibility: ['POS'], portions: [] },
              ...{ modifierGroupReferences: [1, 2], allergens: [] },
            },
            {
              ...{ name: 'Catch of the day', guid: 'i-2', price: null, unitOfMeasure: 'LB' },
              pricingStrategy: 'OPEN_PRICE',
            },
          ],
          menuGroups: [
            {
              ...{ name: 'Drinks', guid: 'g-2' },
              menuItems: [
                {
                  ...{ name: 'Spritz', guid: 'i-3', price: 9 },
                  pricingStrategy: 'TIME_SPECIFIC_PRICE',
                  pricingRules: {
                    timeSpecificPricingRules: [
                      {
                        ...{ timeSpecificPrice: 6, basePrice: 9 },
                        schedule: [
                          {
                            days: ['MONDAY', 'TUESDAY'],
                            timeRanges: [{ start: '17:00', end: '19:00' }],
                          },
                        ],
                      },
                    ],
                  },
                  contentAdvisories: { alcohol: { containsAlcohol: 'YES' } },
                },
              ],
            },
          ],
        },
      ],
    },
  ],
  modifierGroupReferences: {
    1: { name: 'Size', guid: 'size-1', referenceId: 1, modifierOptionReferences: [3] },
    2: {
      ...{ name: 'Toppings', guid: 'mg-2', referenceId: 2, minSelections: 0, maxSelections: null },
      ...{ requiredMode: 'OPTIONAL', modifierOptionReferences: [4] },
    },
  },
  modifierOptionReferences: {
    3: { name: 'Small', guid: 'o-3', referenceId: 3, price: 12 },
    4: { name: 'Olives', guid: 'o-4', referenceId: 4, price: 1.5 },
  },
};

/** A menu that Deliverect posts to a channel. */
export const deliverectPush = [
  {
    ...{ menu: 'Menu', menuId: 'menu-1', menuType: 0, channelLinkId: 'link', currency: 1 },
    availabilities: [{ dayOfWeek: 1, startTime: '00:00', endTime: '23:59' }],
    categories: [
      {
        ...{ _id: 'c-1', name: 'Burgers', nameTranslations: { it: 'Burger' }, level: 1 },
        subProducts: ['p-1', 'p-2', 'p-3'],
        availabilities: [{ dayOfWeek: 5, startTime: '12:00', endTime: '15:00' }],
      },
    ],
    products: {
      'p-1': {
        ...{ _id: 'p-1', plu: 'BRG-01', name: 'Burger', price: 950, productType: 1 },
        ...{ productTags: [101, 106, 127], subProducts: ['g-1'], deliveryTax: 9_000 },
      },
      'p-2': { _id: 'p-2', plu: 'FRS-01', name: 'Fries', price: 350, productType: 1 },
      'p-3': {
        ...{ _id: 'p-3', plu: 'MEAL-01', name: 'Meal', price: 1_250, productType: 1 },
        ...{ isCombo: true, subProducts: ['b-1'] },
      },
    },
    modifierGroups: {
      'g-1': {
        ...{ _id: 'g-1', plu: 'MG-01', name: 'Cheese', min: 0, max: 1, productType: 3 },
        subProducts: ['m-1'],
      },
    },
    modifiers: { 'm-1': { _id: 'm-1', plu: 'CHD', name: 'Cheddar', price: 100, productType: 2 } },
    bundles: {
      'b-1': {
        ...{ _id: 'b-1', plu: 'BND', name: 'Main', min: 1, max: 1, productType: 4 },
        subProducts: ['p-1'],
      },
    },
    snoozedProducts: { 'p-2': { snoozeStart: '2026-11-01T10:00:00Z' } },
  },
];

/** Square's item library of 2024, as cells. */
export const squareCells = [
  [
    ...['Token', 'Item Name', 'Variation Name', 'SKU', 'Description', 'Categories'],
    ...['Reporting Category', 'GTIN', 'Item Type', 'Price', 'Archived', 'Sellable'],
    ...['Contains Alcohol', 'Enabled Via Roma', 'Price Via Roma', 'Modifier Set - Milk'],
    'Tax - VAT (10%)',
  ],
  [
    ...['AAA1', 'Latte', 'Small', 'L-S', '<p>Espresso &amp; milk</p>', 'Coffee (CAT1)'],
    ...['Coffee', '', 'Prepared food and beverage', '$3.50', 'N', 'Y', 'N', 'Y', '', 'Y', 'Y'],
  ],
  [
    ...['AAA2', 'Latte', 'Large', 'L-L', '', 'Coffee (CAT1)'],
    ...['Coffee', '', 'Prepared food and beverage', '$4.25', 'N', 'Y', 'N', 'Y', '4.5', 'Y', 'Y'],
  ],
  [
    ...['BBB1', 'Tasting', 'Regular', '', '', 'Coffee (CAT1)'],
    ...['Coffee', '', 'Prepared food and beverage', 'variable', 'N', 'Y', 'N', 'Y', '', 'N', 'Y'],
  ],
  [
    ...['CCC1', 'Old soup', 'Regular', '', '', 'Soups'],
    ...['Soups', '', 'Prepared food and beverage', '7', 'Y', 'Y', 'N', 'Y', '', 'N', 'Y'],
  ],
];

const quoted = (cell: string) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** The same as a file. */
export const squareCsv = `\ufeff${squareCells.map((row) => `${row.map(quoted).join(',')}\n`).join('')}`;
