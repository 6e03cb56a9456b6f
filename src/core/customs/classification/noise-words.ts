/**
 * Words that say nothing about which goods these are: praise of the market place, colours, sizes, occasions, and
 * words so general that they name no goods. Source: our own reading of market-place titles and parcel texts.
 */
import { foldWord, wordSet } from './goods-text.ts'

const PRAISE = wordSet(
  'new hot sale best selling seller high quality premium luxury original genuine authentic official brand branded',
  'fashion fashionable trendy trend stylish style elegant classic casual cute cool beautiful lovely pretty nice',
  'popular limited edition arrival arrivals free shipping drop dropshipping shipped cheap discount promotion offer',
  'wholesale retail bulk perfect great good super ultra extra amazing unique special design designed designer',
  'custom customized customised personalized personalised handmade diy creative vintage retro modern european',
  'american korean japanese chinese british german french italian usa uk eu us top rated professional pro',
  'upgraded upgrade latest newest version generation gen series model type universal multi multifunction',
  'multifunctional functional portable adjustable durable comfortable lightweight practical convenient easy',
  'quick fast strong real fine simple basic standard general normal regular common different various assorted',
  'random mixed mix hip hop street punk goth gothic y2k aesthetic kawaii anime cartoon summer winter spring',
  'autumn fall season seasonal birthday party holiday valentine anniversary gifts present presents',
  'ideas idea home household indoor outdoor office daily use used using set sets lot lots pcs piece pieces pack packs',
  'pair pairs qty quantity unit units size sizes large small medium big mini tiny huge giant long short wide xl xxl xxxl',
  'plus one two three four five six ten single double triple full half per each color colour colored colours',
)

const COLOURS = wordSet(
  'black white red blue green yellow orange purple pink brown grey gray beige navy khaki ivory cream gold golden',
  'silver rose turquoise teal maroon burgundy lilac violet multicolor multicolour transparent clear dark light',
  'bright solid plain pattern patterned striped floral camo camouflage print printed',
)

const GENERAL = wordSet(
  'goods good item items stuff thing things product products article articles gift gifts present presents',
  'merchandise material materials accessory accessories supplies supply part parts object objects other others misc',
  'miscellaneous sundry sundries sample samples parcel package shipment order content contents unknown none test',
  'various general cargo freight personal effects belongings commodity commodities equipment purchase buy made',
  'commercial value no not without none only just my your our his her their this that return returned replacement',
)

const folded = (words: ReadonlySet<string>): ReadonlySet<string> => new Set([...words].map(foldWord))

const noise = folded(new Set([...PRAISE, ...COLOURS]))
const general = folded(GENERAL)

/** True for a folded word that may describe any goods, a number, or a number with its unit ("20cm", "3.7v"). */
export function saysLittle(key: string): boolean {
  return key.length < 2 || noise.has(key) || general.has(key) || hasDigit(key)
}

/** True for a folded word that stands for goods of any kind: "item", "gift". Alone it never leads to a code. */
export function namesAnything(key: string): boolean {
  return general.has(key)
}

function hasDigit(key: string): boolean {
  for (const char of key) if (char >= '0' && char <= '9') return true
  return false
}
