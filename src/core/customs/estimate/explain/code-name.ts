/** What a code prefix is called in texts: "knitted clothing (chapter 61)", "heading 8518". */
export function codeName(codePrefix: string): string {
  if (codePrefix.length === 2) {
    const name = CHAPTERS[Number(codePrefix) - 1] ?? ''
    return name === '' ? `chapter ${codePrefix}` : `${name} (chapter ${codePrefix})`
  }
  if (codePrefix.length === 4) return `heading ${codePrefix}`
  return codePrefix.length === 6 ? `subheading ${codePrefix}` : `code ${codePrefix}`
}

/** The chapters of the Harmonized System in a few words, from 1 to 97. Chapter 77 is reserved. */
const CHAPTERS: readonly string[] = [
  ...['live animals', 'meat', 'fish and seafood', 'milk, eggs and honey', 'other animal products'],
  ...['plants and flowers', 'vegetables', 'fruit and nuts', 'coffee, tea and spices', 'cereals'],
  ...['flour and malt', 'seeds and medicinal plants', 'gums and resins', 'vegetable plaiting materials'],
  ...['fats and oils', 'preparations of meat and fish', 'sugar and sweets', 'cocoa and chocolate'],
  ...['bakery wares and pasta', 'preparations of vegetables and fruit', 'other food preparations'],
  ...['beverages and vinegar', 'animal feed', 'tobacco', 'salt, stone and cement', 'ores'],
  ...['fuels and mineral oils', 'inorganic chemicals', 'organic chemicals', 'medicines', 'fertilisers'],
  ...['dyes and paints', 'perfumes and cosmetics', 'soap and candles', 'glues and enzymes'],
  ...['explosives and fireworks', 'photographic goods', 'other chemical products', 'plastics', 'rubber'],
  ...['hides and leather', 'bags and leather goods', 'furs', 'wood', 'cork', 'basketwork', 'wood pulp'],
  ...['paper', 'books and printed matter', 'silk', 'wool', 'cotton', 'other vegetable fibres'],
  ...['synthetic filaments', 'synthetic staple fibres', 'wadding, felt and ropes', 'carpets'],
  ...['special fabrics and lace', 'coated fabrics', 'knitted fabrics', 'knitted clothing', 'woven clothing'],
  ...['other textile articles', 'shoes', 'headgear', 'umbrellas', 'feathers and artificial flowers'],
  ...['articles of stone', 'ceramics', 'glass', 'jewellery and precious metals', 'iron and steel'],
  ...['articles of iron and steel', 'copper', 'nickel', 'aluminium', '', 'lead', 'zinc', 'tin'],
  ...['other base metals', 'tools and cutlery', 'other articles of metal', 'machinery'],
  ...['electrical goods', 'railway equipment', 'vehicles', 'aircraft', 'ships and boats'],
  ...['optical, measuring and medical instruments', 'clocks and watches', 'musical instruments', 'weapons'],
  ...['furniture and lamps', 'toys and sports goods', 'other manufactured articles', 'art and antiques'],
]
