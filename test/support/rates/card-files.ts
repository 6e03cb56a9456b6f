/** A small valid rate card as CSV files. Tests break it in one place at a time. */

/** The text of each file: one product, two price bands, one surcharge. */
export const SMALL_CARD: Readonly<Record<string, string>> = {
  'carriers.csv': 'carrier_code,name,connector\nduinpost,Duinpost,sandbox\n',
  'products.csv':
    'product_id,carrier_code,name,service_level,parcel_type,pricing_basis,vol_divisor,round_kg,doc_unit_kg,scope,recipient,zones\n' +
    '7101,duinpost,Parcel,economy,NONDOC,parcel,5000,0.1,,any,any,0-1\n',
  'country_group.csv': 'country,group\nNL,A\n*,B\n',
  'lane_zone.csv': 'from_group,to_group,zone\n=,=,0\nA,B,1\n',
  'rates.csv':
    'product_id,zone,unit,over,up_to,price,step,step_price\n' +
    '7101,0,KG,0,5,4.50,,\n7101,0,KG,5,30,6.20,1,0.35\n7101,1,KG,0,30,12,,\n',
  'transit.csv': 'product_id,zone,min_days,max_days\n7101,0,1,1\n7101,1,2,4\n',
  'surcharges.csv':
    'carrier_code,code,name,reason,phase,method,amount,min_eur,per,trigger,fuelable,excludes,products,valid_from,valid_to\n' +
    'duinpost,HEAVY,Heavy,Above 20 kg,accessorial,flat,2.10,,piece,piece_kg>20,yes,,,2026-01-01,\n',
}

/** The files by name, as read from a folder. */
export function filesOf(texts: Readonly<Record<string, string>>): Map<string, Uint8Array> {
  return new Map(Object.entries(texts).map(([name, text]) => [name, new TextEncoder().encode(text)]))
}
