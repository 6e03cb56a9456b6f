/**
 * Titles for which a legal note decides the code, and titles near them for which it does not. They were written from
 * the text of the notes and from what shops sell. Never change an example to suit the classifier: add its title to
 * `NOT_YET` in legal-notes.test.ts.
 */

/** A title and its code: six digits, HS 2022. */
export type NoteExample = readonly [title: string, code: string]

export type NoteExamples = {
  /** Its citation is in `citations`. */
  readonly note: string
  readonly against: readonly NoteExample[]
  readonly for: readonly NoteExample[]
}

/** By note: the citation that its examples have. Some notes have several paragraphs, or one in each of two chapters. */
export const citations: Readonly<Record<string, RegExp>> = {
  'retail-set': /^General Rule 3\(b\)$/,
  'machine-parts': /^Note 2\(b\) to section XVI$/,
  'vehicle-parts': /^Note 3 to section XVII$/,
  'imitation-jewellery': /^Note 11 to chapter 71$/,
  plated: /^Note (6|11) to chapter 71$/,
  festive: /^General Rule 1 and the text of heading 9505$/,
  'pet-toys': /^Note 5 to chapter 95$/,
  'not-toys': /^Note 1\([a-z]\) to chapter 95$/,
  'sports-footwear': /^Subheading note 1 to chapter 64$/,
  'toe-cap': /^General Rule 6 and the text of subheading 6403\.40$/,
  'upper-and-sole': /^Note 4 to chapter 64$/,
  cocoa: /^Note 2 to chapter 18$/,
  soap: /^Note 2 to chapter 34$/,
  'toiletries-with-soap': /^Note 1\(c\) to chapter 34$/,
  'skin-washing': /^Note 1\(b\) to chapter 33$/,
  'unmanned-aircraft': /^Note 1 and subheading note 2 to chapter 88$/,
  knitted: /^Note 1 to chapter 61$/,
  babies: /^Note (6 to chapter 61|5 to chapter 62)$/,
  'either-sex': /^Note 9 to chapter 6[12]$/,
  'textile-composition': /^(Note 2|Subheading note 2\(A\)) to section XI$/,
  'made-up': /^Note 7 to section XI$/,
  'plastic-and-textile': /^Note 1\(h\) to section XI$/,
  'plaited-and-flimsy-bags': /^Note 3\(A\)\([ab]\) to chapter 42$/,
  'food-supplements': /^Note 1\(a\) to chapter 30$/,
  'watch-case': /^Note 2 to chapter 91$/,
  'toy-instruments': /^Note 1\(c\) to chapter 92$/,
  'instrument-electronics': /^Note 1\([bd]\) to chapter 92$/,
  'floor-furniture': /^Note 2 to chapter 94$/,
  'led-light-source': /^Note 11 to chapter 85$/,
  'picture-books': /^Note 6 to chapter 49$/,
  jewellery: /^Note 9 to chapter 71$/,
  'display-modules': /^Note 7 to chapter 85$/,
  smartphones: /^Note 5 to chapter 85$/,
  'game-consoles': /^Subheading note 1 to chapter 95$/,
  'air-mattresses': /^Note 1\(a\) to chapter 94$/,
  'floor-mirrors': /^Note 1\(b\) to chapter 94$/,
  'other-toiletries': /^Note 4 to chapter 33$/,
  'square-scarves': /^Note 8 to chapter 62$/,
  'no-outer-sole': /^Note (1\(b\) to chapter 64|6 to chapter 61)$/,
  'leather-accessories': /^Note 4 to chapter 42$/,
}

/** Written before the rules. */
export const noteExamples: readonly NoteExamples[] = [
  {
    note: 'retail-set',
    for: [
      ['Gin gift set with bottle of gin and two glasses', '220850'],
      ['Spaghetti dinner kit: spaghetti, tomato sauce and grated cheese', '190219'],
      ['Hairdressing set: electric hair clipper, comb, scissors and towel', '851020'],
      ['Perfume gift set, eau de parfum 50 ml and body lotion', '330300'],
      ['Green tea gift set, tea and infuser', '090210'],
      ['Whisky gift set with tasting glasses and coasters', '220830'],
      ['Drawing instruments set: compass, ruler, pencil and sharpener in a case', '901720'],
    ],
    against: [
      ['Manicure set with nail clippers and file', '821420'],
      ['Chess set with wooden pieces', '950490'],
      ['Set of 6 wine glasses', '701328'],
      ['Travel sewing kit with needles, thread and buttons', '960500'],
      ['Mixed tool set with hammer, pliers and screwdrivers', '820600'],
      ['First aid kit for the car', '300650'],
    ],
  },
  {
    note: 'machine-parts',
    for: [
      ['Replacement brush roll for robot vacuum cleaner', '850870'],
      ['Shaver head for electric razor, replacement', '851090'],
      ['Toner cartridge for laser printer', '844399'],
      ['RAM memory module for laptop', '847330'],
      ['Washing machine drum paddle', '845090'],
      ['Ear pads for headphones', '851890'],
      ['Dishwasher basket wheels spare part', '842290'],
    ],
    against: [
      ['Lithium ion battery for laptop', '850760'],
      ['USB C charging cable for phone', '854442'],
      ['Power adapter for laptop 65W', '850440'],
      ['Cooling fan for gaming PC case', '841459'],
      ['Silicone phone case', '392690'],
      ['Rubber drive belt for washing machine', '401031'],
      ['Wireless mouse for laptop', '847160'],
    ],
  },
  {
    note: 'vehicle-parts',
    for: [
      ['Front brake pads for car', '870830'],
      ['Car bumper cover', '870810'],
      ['Bicycle saddle gel', '871495'],
      ['Bike pedals aluminium', '871496'],
      ['Motorcycle exhaust pipe', '871410'],
      ['Shock absorbers for car rear axle', '870880'],
    ],
    against: [
      ['Oil filter for car engine', '842123'],
      ['Spark plugs for motorcycle', '851110'],
      ['Windscreen wipers for car', '851240'],
      ['Rubber floor mats for car', '401691'],
      ['LED headlight bulb for car', '853952'],
      ['Car battery 12V lead acid', '850710'],
      ['Car dash clock', '910400'],
    ],
  },
  {
    note: 'imitation-jewellery',
    for: [
      ['Gold plated brass necklace', '711719'],
      ['Stainless steel cuff bracelet', '711719'],
      ['Wooden bead bracelet', '711790'],
      ['Acrylic hoop earrings', '711790'],
      ['Silver plated ring with cubic zirconia', '711719'],
      ['Alloy cufflinks for men', '711711'],
      ['Faux pearl necklace, alloy clasp', '711790'],
    ],
    against: [
      ['925 sterling silver ring', '711311'],
      ['Freshwater pearl necklace', '711610'],
      ['Rose quartz gemstone bracelet', '711620'],
      ['Metal hair slide with rhinestones', '961519'],
      ['Plastic hair claw clip', '961511'],
      ['Gold metal buttons for coats', '960622'],
    ],
  },
  {
    note: 'plated',
    for: [
      ['Silver plated photo frame', '830630'],
      ['Silver plated teaspoon', '821591'],
      ['Gold plated ballpoint pen', '960810'],
      ['18k gold plated earrings', '711719'],
      ['Silver plated trumpet', '920510'],
    ],
    against: [
      ['Sterling silver photo frame', '711411'],
      ['Sterling silver teaspoon', '711411'],
      ['14k gold filled hoop earrings', '711320'],
      ['Solid gold chain necklace', '711319'],
    ],
  },
  {
    note: 'festive',
    for: [
      ['Glass Christmas tree baubles', '950510'],
      ['Halloween skeleton hanging decoration', '950590'],
      ['Artificial Christmas tree 180 cm', '950510'],
      ['Easter egg tree decorations', '950590'],
      ['Happy birthday paper garland', '950590'],
      ['Nativity figurines set', '950510'],
    ],
    against: [
      ['Ceramic Christmas mug', '691200'],
      ['Cotton Christmas tablecloth', '630251'],
      ['Acrylic knitted Christmas jumper for men', '611030'],
      ['LED Christmas string lights', '940531'],
      ['Christmas scented candle', '340600'],
      ['Halloween cotton t-shirt for kids', '610910'],
      ['Gingerbread Christmas cookies', '190531'],
      ['Christmas cotton bed linen set, printed', '630221'],
    ],
  },
  {
    note: 'pet-toys',
    for: [
      ['Natural rubber dog chew toy', '401699'],
      ['Vinyl squeaky dog toy', '392690'],
      ['Plush catnip mouse cat toy', '630790'],
      ['Plush squeaky toy for dogs', '630790'],
    ],
    against: [
      ['Plush dog for children', '950300'],
      ['Rubber duck bath toy', '950300'],
      ['Toy cat for toddlers', '950300'],
      ['Toy vet kit for kids', '950300'],
    ],
  },
  {
    note: 'not-toys',
    for: [
      ['Kids bike 16 inch with stabilisers', '871200'],
      ['Sports bag for football boots', '420292'],
      ['Pop up camping tent for kids', '630622'],
      ['Swimming goggles for children', '900490'],
      ['Sleigh bells brass', '830610'],
      ['Inflatable kayak', '890312'],
    ],
    against: [
      ['Balance bike without pedals', '950300'],
      ['Tricycle for toddlers', '950300'],
      ['Toy bell for babies', '950300'],
      ['Ride on toy car', '950300'],
    ],
  },
  {
    note: 'sports-footwear',
    for: [
      ['Leather football boots with moulded studs', '640319'],
      ['Synthetic rugby boots', '640219'],
      ['Cycling shoes, synthetic upper', '640219'],
      ['Leather boxing boots', '640319'],
      ['Canvas wrestling boots', '640411'],
      ['Leather golf shoes with spikes', '640319'],
      ['Mesh running spikes', '640411'],
    ],
    against: [
      ['Leather running shoes', '640399'],
      ['Spikeless leather golf shoes', '640399'],
      ['Synthetic leather trainers', '640299'],
      ['Leather tennis shoes', '640399'],
      ["Men's leather hiking boots", '640391'],
    ],
  },
  {
    note: 'toe-cap',
    for: [
      ['Steel toe cap leather work boots', '640340'],
      ['S3 safety shoes leather with steel toe', '640340'],
      ['Leather safety trainers with steel toe cap', '640340'],
      ['Dealer boots leather, steel toecap', '640340'],
    ],
    against: [
      ['Composite toe leather work boots', '640391'],
      ['Steel toe wellington boots PVC', '640110'],
      ['Mesh safety trainers with steel toe', '640419'],
      ["Men's leather work boots without toe cap", '640391'],
    ],
  },
  {
    note: 'upper-and-sole',
    for: [
      ['Canvas boat shoes with leather laces', '640419'],
      ['Suede loafers', '640399'],
      ['Leather chelsea boots with elastic side panels', '640391'],
      ['Leather brogue shoes with leather sole', '640359'],
      ['Felt slippers with suede sole', '640420'],
      ['PU ankle boots with faux fur lining', '640291'],
      ['Leather moccasins with rubber sole', '640399'],
    ],
    against: [
      ['Bamboo insoles for shoes', '640690'],
      ['Leather shoe laces', '420500'],
      ['Orthopaedic shoes made to measure', '902110'],
      ['Ice skates with boots', '950670'],
    ],
  },
  {
    note: 'cocoa',
    for: [
      ['Hot chocolate powder with sugar', '180610'],
      ['Milk chocolate bar 100 g', '180632'],
      ['Chocolate pralines gift box', '180690'],
      ['Chocolate covered raisins', '180690'],
      ['Hazelnut cocoa spread', '180690'],
      ['Filled chocolate bar with caramel', '180631'],
    ],
    against: [
      ['White chocolate bar', '170490'],
      ['Unsweetened cocoa powder 250 g', '180500'],
      ['Chocolate chip cookies', '190531'],
      ['Chocolate ice cream', '210500'],
      ['Cocoa butter', '180400'],
      ['Chocolate breakfast cereal', '190410'],
      ['Chocolate liqueur', '220870'],
      ['Chocolate milk drink, ready to drink', '220299'],
    ],
  },
  {
    note: 'soap',
    for: [
      ['Antibacterial soap bar', '340111'],
      ['Exfoliating soap bar with oatmeal', '340111'],
      ['Pumice hand soap bar', '340111'],
      ['Charcoal face soap', '340111'],
      ['Medicated sulphur soap bar', '340111'],
    ],
    against: [
      ['Scouring powder for kitchens', '340540'],
      ['Alcohol hand sanitiser gel', '380894'],
      ['Exfoliating body scrub with sugar', '330499'],
      ['Soap dish bamboo', '442191'],
    ],
  },
  {
    note: 'toiletries-with-soap',
    for: [
      ['Anti dandruff shampoo', '330510'],
      ['Bubble bath lavender', '330730'],
      ['Shaving foam for men', '330710'],
      ['Whitening toothpaste', '330610'],
      ['Bath bombs gift box', '330730'],
      ['Shampoo bar, solid', '330510'],
    ],
    against: [
      ['Liquid hand soap with pump', '340130'],
      ['Shower gel coconut', '340130'],
      ['Foaming face wash', '340130'],
      ['Lavender soap bar', '340111'],
      ['Washing up liquid', '340250'],
    ],
  },
  {
    note: 'skin-washing',
    for: [
      ['Foaming facial cleanser', '340130'],
      ['Body wash with aloe vera', '340130'],
      ['Makeup remover wipes', '340130'],
      ['Face wash gel for oily skin', '340130'],
    ],
    against: [
      ['Micellar water 400 ml', '330499'],
      ['Day cream for dry skin', '330499'],
      ['Face serum with vitamin C', '330499'],
      ['Cleansing oil makeup remover', '330499'],
      ['Baby shampoo', '330510'],
    ],
  },
  {
    note: 'unmanned-aircraft',
    for: [
      ['Camera drone 249 g with remote', '880621'],
      ['Quadcopter 900 g with 4K camera', '880622'],
      ['Agricultural spraying drone 40 kg', '880624'],
      ['Drone 12 kg take-off weight', '880623'],
    ],
    against: [
      ['Toy mini drone for kids', '950300'],
      ['Toy RC helicopter', '950300'],
      ['Drone propellers', '880710'],
      ['Drone battery lithium polymer', '850760'],
      ['Drone carrying case, nylon', '420292'],
    ],
  },
  {
    note: 'knitted',
    for: [
      ['Cotton jersey dress for women', '610442'],
      ['Cotton pique polo shirt for men', '610510'],
      ["Women's knitted polyester leggings", '610463'],
      ['Merino wool knitted cardigan', '611011'],
      ['Crochet cotton top for women', '611020'],
    ],
    against: [
      ['Cotton poplin shirt for men', '620520'],
      ["Women's denim jeans", '620462'],
      ['Linen dress woven', '620449'],
      ['Lace bra', '621210'],
      ['Knitted wool beanie', '650500'],
    ],
  },
  {
    note: 'babies',
    for: [
      ['Baby bodysuit cotton 0-3 months', '611120'],
      ['Newborn sleepsuit cotton', '611120'],
      ['Baby socks cotton', '611120'],
      ['Cotton leggings size 74 cm', '611120'],
      ['Girls woven cotton dress 12-18 months', '620920'],
      ['Knitted polyester baby jacket', '611130'],
    ],
    against: [
      ['Kids cotton t-shirt age 5-6', '610910'],
      ['Boys cotton trousers 3-4 years woven', '620342'],
      ['Girls knitted cotton dress 98 cm', '610442'],
      ['Cotton leggings girls 104 cm', '610462'],
      ['Baby hat cotton', '650500'],
    ],
  },
  {
    note: 'either-sex',
    for: [
      ['Unisex woven cotton trousers', '620462'],
      ['Unisex terry cotton bathrobe', '620891'],
      ['Unisex padded jacket polyester', '620240'],
      ['Unisex linen shirt', '620690'],
      ['Unisex knitted cotton pyjamas', '610831'],
    ],
    against: [
      ['Cotton shirt for men', '620520'],
      ['Boys padded polyester coat', '620140'],
      ['Unisex cotton t-shirt', '610910'],
      ["Men's terry cotton bathrobe", '620791'],
    ],
  },
  {
    note: 'textile-composition',
    for: [
      ['T-shirt 60% cotton 40% polyester', '610910'],
      ['T-shirt 35% cotton 65% polyester', '610990'],
      ['Jumper 55% cotton 45% wool', '611020'],
      ['Sweater 40% wool 35% acrylic 25% nylon', '611030'],
      ['Woven scarf 70% acrylic 30% wool', '621430'],
      ["Women's trousers 98% cotton 2% elastane", '620462'],
    ],
    against: [
      ['Cashmere sweater', '611012'],
      ["Women's wool coat with polyester lining", '620220'],
      ['Leather jacket, lining 100% polyester', '420310'],
      ['Leather gloves with cashmere lining', '420329'],
    ],
  },
  {
    note: 'made-up',
    for: [
      ['Cotton tea towel, hemmed', '630291'],
      ['Microfibre cleaning cloths', '630710'],
      ['Fleece throw blanket', '630140'],
      ['Polyester flag 90 x 150 cm', '630790'],
      ['Ready made polyester curtains', '630392'],
    ],
    against: [
      ['Printed cotton quilting fabric by the metre', '520852'],
      ['Satin ribbon roll', '580632'],
      ['Acrylic yarn 100 g ball', '551110'],
      ['Polyester lace trim by the yard', '580421'],
    ],
  },
  {
    note: 'plastic-and-textile',
    for: [
      ['PEVA shower curtain liner', '392490'],
      ['Clear PVC rain poncho', '392620'],
      ['PVC tablecloth with flannel backing', '392490'],
      ['Disposable plastic apron', '392620'],
    ],
    against: [
      ['Polyester shower curtain', '630392'],
      ['Cotton tablecloth', '630251'],
      ['Linen tablecloth', '630259'],
      ["Women's polyester raincoat", '620240'],
    ],
  },
  {
    note: 'plaited-and-flimsy-bags',
    for: [
      ['Wicker picnic basket', '460219'],
      ['Straw beach bag', '460219'],
      ['Polythene carrier bags with handles', '392321'],
      ['Rattan handbag', '460212'],
    ],
    against: [
      ['Leather handbag', '420221'],
      ['Canvas tote bag', '420292'],
      ['Nylon backpack', '420292'],
      ['Bamboo cutting board', '441911'],
    ],
  },
  {
    note: 'food-supplements',
    for: [
      ['Vitamin C tablets food supplement 1000 mg', '210690'],
      ['Omega 3 fish oil capsules', '210690'],
      ['Multivitamin gummies', '210690'],
      ['Magnesium capsules dietary supplement', '210690'],
      ['Probiotic capsules', '210690'],
    ],
    against: [
      ['Ibuprofen tablets 200 mg', '300490'],
      ['Nicotine patches', '240492'],
      ['Paracetamol tablets', '300490'],
      ['Vitamin C face serum', '330499'],
      ['Energy drink 250 ml', '220210'],
    ],
  },
  {
    note: 'watch-case',
    for: [
      ['18k gold case automatic wrist watch', '910121'],
      ['Sterling silver case quartz watch', '910111'],
      ['Solid gold ladies quartz watch', '910111'],
      ['Gold plated quartz watch', '910211'],
      ['Stainless steel automatic watch with gold plated bezel', '910221'],
    ],
    against: [
      ['Smart watch with heart rate monitor', '851762'],
      ['Leather watch strap', '911390'],
      ['Gold wall clock', '910521'],
    ],
  },
  {
    note: 'toy-instruments',
    for: [
      ['Toy xylophone for toddlers', '950300'],
      ['Toy guitar with flashing buttons', '950300'],
      ['Baby musical drum toy', '950300'],
      ['Kids toy piano keyboard', '950300'],
    ],
    against: [
      ['Acoustic guitar 3/4 size for beginners', '920290'],
      ['Soprano ukulele', '920290'],
      ['Descant recorder', '920590'],
      ['Glockenspiel 25 notes', '920600'],
    ],
  },
  {
    note: 'instrument-electronics',
    for: [
      ['Guitar amplifier 20W', '851840'],
      ['Microphone for singing', '851810'],
      ['Studio headphones for digital piano', '851830'],
      ['Microphone tripod stand', '962000'],
    ],
    against: [
      ['Guitar strings', '920930'],
      ['Electric guitar', '920790'],
      ['Metronome', '920999'],
    ],
  },
  {
    note: 'floor-furniture',
    for: [
      ['Wooden bookcase floor standing', '940360'],
      ['Metal shoe rack free standing', '940320'],
      ['Floating wall shelf wooden', '940360'],
      ['Plastic bedside table', '940370'],
      ['Wall mounted bathroom cabinet wood', '940360'],
    ],
    against: [
      ['Wooden jewellery box', '442090'],
      ['Wooden wall coat hooks', '442090'],
      ['Stainless steel dish drying rack', '732393'],
      ['Framed wall mirror', '700992'],
      ['Toy kitchen wooden', '950300'],
    ],
  },
  {
    note: 'led-light-source',
    for: [
      ['LED bulb E27 9W', '853952'],
      ['LED GU10 spotlight bulbs, 6 pack', '853952'],
      ['LED tube T8 120 cm', '853952'],
      ['Smart LED light bulb', '853952'],
    ],
    against: [
      ['LED ceiling light', '940511'],
      ['Pendant light E27 without bulb', '940519'],
      ['GU10 halogen bulb', '853921'],
      ['LED desk lamp USB', '940521'],
      ['LED torch', '851310'],
    ],
  },
  {
    note: 'picture-books',
    for: [
      ['Board book with farm animals for babies', '490300'],
      ['Colouring book for kids', '490300'],
      ['Picture book for toddlers', '490300'],
      ['Pop-up book for children', '490300'],
    ],
    against: [
      ["Children's novel paperback", '490199'],
      ['Cookbook hardcover', '490199'],
      ["Children's encyclopedia", '490191'],
      ['Diary notebook for kids', '482010'],
      ['Comic book', '490199'],
    ],
  },
  {
    note: 'jewellery',
    for: [
      ['Sterling silver bangle', '711311'],
      ['14k gold chain necklace', '711319'],
      ['Platinum wedding ring', '711319'],
    ],
    against: [
      ['Stainless steel bangle', '711719'],
      ['Sterling silver spoon', '711411'],
      ['Silver plated bracelet', '711719'],
    ],
  },
  {
    note: 'display-modules',
    for: [
      ['LCD screen replacement for iPhone 12', '852491'],
      ['OLED display assembly for Samsung phone', '852492'],
      ['Replacement laptop screen LCD panel 15.6', '852491'],
    ],
    against: [
      ['Tempered glass screen protector for iPhone', '700719'],
      ['Computer monitor 27 inch', '852852'],
      ['LED television 43 inch', '852872'],
    ],
  },
  {
    note: 'smartphones',
    for: [
      ['Android smartphone 128GB', '851713'],
      ['iPhone 14 refurbished', '851713'],
      ['5G mobile phone with Android', '851713'],
    ],
    against: [
      ['Cordless landline telephone', '851711'],
      ['Feature phone with big buttons for seniors', '851714'],
      ['Smartphone case silicone', '392690'],
    ],
  },
  {
    note: 'game-consoles',
    for: [
      ['Handheld video game console', '950450'],
      ['Retro TV game console with two controllers', '950450'],
      ['Nintendo Switch console', '950450'],
    ],
    against: [
      ['ps5 wireless controller', '950450'],
      ['Video game cartridge', '852351'],
      ['Board game for families', '950490'],
      ['Console carrying case', '420292'],
    ],
  },
  {
    note: 'air-mattresses',
    for: [
      ['Cotton inflatable air mattress', '630640'],
      ['Inflatable pool lounger PVC', '392690'],
      ['Camping air mattress, nylon', '630640'],
    ],
    against: [
      ['Memory foam mattress', '940421'],
      ['Feather pillow', '940490'],
      ['Memory foam travel pillow', '940490'],
    ],
  },
  {
    note: 'floor-mirrors',
    for: [
      ['Full length standing mirror with frame', '700992'],
      ['Floor mirror arched', '700992'],
      ['Cheval mirror wooden frame', '700992'],
    ],
    against: [
      ['Car wing mirror', '700910'],
      ['Dressing table with mirror', '940350'],
      ['Wooden wardrobe', '940350'],
    ],
  },
  {
    note: 'other-toiletries',
    for: [
      ['Dog shampoo', '330790'],
      ['Contact lens solution 300 ml', '330790'],
      ['Incense sticks sandalwood', '330741'],
    ],
    against: [
      ['hair removal cream', '330790'],
      ['car air freshener', '330749'],
      ['Baby shampoo tear free', '330510'],
      ['Eye drops for dry eyes', '300490'],
      ['Scented candle lavender', '340600'],
    ],
  },
  {
    note: 'square-scarves',
    for: [
      ['Cotton bandana 55 x 55 cm', '621320'],
      ['Pocket square silk', '621390'],
      ['Mens cotton handkerchiefs pack', '621320'],
    ],
    against: [
      ['Silk scarf 90 x 90 cm', '621410'],
      ['Wool scarf woven', '621420'],
      ['Polyester chiffon shawl', '621430'],
    ],
  },
  {
    note: 'no-outer-sole',
    for: [
      ['Knitted slipper socks without sole, acrylic', '611596'],
      ['Fluffy bed socks polyester', '611596'],
      ['Baby booties knitted cotton', '611120'],
    ],
    against: [
      ['Felt slippers with rubber sole', '640419'],
      ['Ballet flats canvas rubber sole', '640419'],
      ['Water shoes mesh', '640419'],
    ],
  },
  {
    note: 'leather-accessories',
    for: [
      ['Leather belt for men', '420330'],
      ['Leather work gloves', '420329'],
      ['Leather apron for barbecue', '420310'],
    ],
    against: [
      ['leather jacket', '420310'],
      ['Leather wallet', '420231'],
      ['Leather watch strap', '911390'],
      ['Cotton apron', '621142'],
    ],
  },
]

/** The same, written after the rules, to see whether they hold for other titles. */
export const laterExamples: readonly NoteExamples[] = [
  {
    note: 'retail-set',
    for: [
      ['Rum gift set with two tumblers', '220840'],
      ['Skincare gift set: face cream, headband and wash bag', '330499'],
      ['Pamper hamper: perfume, shower gel and soap', '330300'],
      ['Coffee beans gift set with measuring scoop', '090121'],
    ],
    against: [
      ['whisky glasses gift set', '701337'],
      ['beer glass gift set', '701337'],
      ['wine decanter gift set', '701349'],
      ['tea infuser gift set', '732393'],
      ['coffee press gift set', '701349'],
      ['set regalo bicchieri whisky', '701337'],
      ['paint brushes set', '960330'],
      ['acrylic paint brush set', '960330'],
      ['sewing needle set', '731990'],
      ['sewing scissors set', '821300'],
      ['cosmetic bag gift set', '420292'],
      ['soap brush set', '960390'],
      ['Watercolour paint set with brushes', '321310'],
      ['Sewing kit in a tin, needles and thread', '960500'],
      ['Set of 4 cotton napkins', '630291'],
    ],
  },
  {
    note: 'machine-parts',
    for: [
      ['Brush head attachment for electric toothbrush', '850990'],
      ['Ink cartridge for inkjet printer', '844399'],
    ],
    against: [
      ['Replacement battery for cordless drill', '850760'],
      ['HDMI cable for TV', '854442'],
    ],
  },
  {
    note: 'vehicle-parts',
    for: [
      ['Rear brake shoes for van', '870830'],
      ['Carbon fibre handlebar for road bike', '871499'],
    ],
    against: [
      ['Air filter for motorcycle engine', '842131'],
      ['Bicycle lock', '830140'],
    ],
  },
  {
    note: 'imitation-jewellery',
    for: [
      ['Rhinestone tennis bracelet alloy', '711719'],
      ['Resin ring for women', '711790'],
      ['Leather cord bracelet for men', '711790'],
    ],
    against: [
      ['18k solid gold ring', '711319'],
      ['Hairpins black metal', '961590'],
    ],
  },
  {
    note: 'plated',
    for: [
      ['Gold plated teaspoons', '821591'],
      ['Silver plated picture frame 5x7', '830630'],
    ],
    against: [['Sterling silver candlestick', '711411']],
  },
  {
    note: 'festive',
    for: [
      ['Christmas tinsel garland', '950510'],
      ['Halloween pumpkin window decoration', '950590'],
    ],
    against: [
      ['magic trick set', '950590'],
      ['Porcelain Christmas plate', '691110'],
      ['Halloween napkins paper', '481830'],
      ["Women's Christmas socks cotton", '611595'],
    ],
  },
  {
    note: 'pet-toys',
    for: [
      ['Rope dog toy cotton', '560900'],
      ['Rubber treat ball for dogs', '401699'],
    ],
    against: [['Walking toy puppy for kids', '950300']],
  },
  {
    note: 'not-toys',
    for: [
      ["Girls' bicycle 20 inch with basket", '871200'],
      ['Two person camping tent', '630622'],
    ],
    against: [
      ['birthday mug gift', '691200'],
      ['christmas gift mug', '691200'],
      ['girls swimming costume', '611241'],
      ['bike bell', '830610'],
      ['Kids scooter three wheels', '950300'],
      ['Pedal go kart for children', '950300'],
    ],
  },
  {
    note: 'sports-footwear',
    for: [
      ['Leather rugby boots with metal studs', '640319'],
      ['Kids synthetic football boots', '640219'],
      ['Snowboard boots', '640212'],
    ],
    against: [
      ['Leather basketball shoes', '640399'],
      ['Leather walking boots', '640391'],
    ],
  },
  {
    note: 'toe-cap',
    for: [
      ['Brown leather safety boots steel toecaps', '640340'],
      ['Leather chukka safety boots with metal toe cap', '640340'],
    ],
    against: [['Composite toe cap leather safety shoes', '640399']],
  },
  {
    note: 'upper-and-sole',
    for: [
      ['Velvet ballet flats', '640419'],
      ['Nubuck sandals', '640399'],
      ['Patent PU court shoes', '640299'],
    ],
    against: [['Gel insoles', '640690']],
  },
  {
    note: 'cocoa',
    for: [
      ['chocolate in white gift box', '180690'],
      ['white milk dark chocolate', '180632'],
      ['chocolate bar milk white dark assorted', '180690'],
      ['black and white chocolate bar', '180632'],
      ['Dark chocolate slab 70% cocoa', '180632'],
      ['Chocolate coated almonds', '180690'],
    ],
    against: [
      ['white chocolate macadamia cookies', '190531'],
      ['white chocolate ice cream', '210500'],
      ['white chocolate liqueur', '220870'],
      ['tablette de chocolat blanc', '170490'],
      ['White chocolate truffles', '170490'],
      ['Chocolate wafers', '190532'],
      ['Chocolate cake', '190590'],
    ],
  },
  {
    note: 'soap',
    for: [['Scrub soap bar with coffee', '340111']],
    against: [['Pan scourer powder', '340540']],
  },
  {
    note: 'toiletries-with-soap',
    for: [
      ['Bath foam for children', '330730'],
      ['Shaving cream tube', '330710'],
    ],
    against: [['Hand wash refill', '340130']],
  },
  {
    note: 'skin-washing',
    for: [['Hydrating body wash', '340130']],
    against: [['Night cream', '330499']],
  },
  {
    note: 'unmanned-aircraft',
    for: [
      ['Mini drone 135 g with camera', '880621'],
      ['Aerial photography drone 1.4 kg', '880622'],
    ],
    against: [
      ['rc drone for kids', '950300'],
      ['remote control drone toy', '950300'],
      ['spare remote control for drone', '852692'],
      ['replacement remote control drone', '852692'],
      ['Kids toy helicopter', '950300'],
    ],
  },
  {
    note: 'knitted',
    for: [
      ["Men's cotton jersey boxer shorts", '610711'],
      ["Women's knit skirt polyester", '610453'],
    ],
    against: [["Men's chino trousers cotton twill", '620342']],
  },
  {
    note: 'babies',
    for: [
      ['Baby romper woven cotton 6-9 months', '620920'],
      ['Infant knitted cotton cardigan', '611120'],
      ['kids rain jacket size 80 cm', '620930'],
      ['Boys cotton t-shirt with dinosaur print, size 74', '611120'],
    ],
    against: [
      ["men's swim shorts size 80 cm", '621111'],
      ['Boys cotton t-shirt size 104', '610910'],
      ['lingerie bra size 80 cm', '621210'],
      ['jeans size 86 cm waist', '620342'],
      ['skirt size 68 cm', '620453'],
      ['cotton shirt sleeve size 62 cm', '620520'],
      ['jacket size 50 cm dog', '420100'],
      ['maternity leggings 3-6 months pregnant', '610463'],
      ["men's wool coat 6-12 months delivery", '620120'],
      ['Boys cotton pyjamas age 7-8 knitted', '610721'],
      ['Newborn knitted cap', '650500'],
    ],
  },
  {
    note: 'either-sex',
    for: [
      ['Unisex cargo trousers cotton', '620462'],
      ['Unisex polyester windbreaker jacket', '620240'],
    ],
    against: [["Men's windbreaker jacket polyester", '620140']],
  },
  {
    note: 'textile-composition',
    for: [
      ['rope 60% polyester 40% cotton', '560750'],
      ['T-shirt 50% cotton 50% polyester', '610990'],
      ['Sweater 30% viscose 30% polyester 40% cotton', '611030'],
      ["Women's blouse 55% linen 45% cotton woven", '620690'],
    ],
    against: [
      ['cotton t-shirt 50% off', '610910'],
      ['Silk blouse', '620610'],
    ],
  },
  {
    note: 'made-up',
    for: [
      ['Cotton bath towel', '630260'],
      ['Linen cushion cover', '630499'],
    ],
    against: [['Linen fabric by the metre', '530919']],
  },
  {
    note: 'plastic-and-textile',
    for: [
      ['Wipe clean vinyl tablecloth', '392490'],
      ['PVC rain cape', '392620'],
    ],
    against: [['Linen apron', '621149']],
  },
  {
    note: 'plaited-and-flimsy-bags',
    for: [
      ['Seagrass basket bag', '460219'],
      ['Bamboo woven basket', '460211'],
    ],
    against: [
      ['polythene bag zip lock', '392321'],
      ['Leather tote bag', '420221'],
    ],
  },
  {
    note: 'food-supplements',
    for: [
      ['Turmeric capsules supplement', '210690'],
      ['Vitamin D3 tablets', '210690'],
    ],
    against: [
      ['Nicotine gum', '240491'],
      ['Cough syrup', '300490'],
    ],
  },
  {
    note: 'watch-case',
    for: [
      ['Platinum case automatic watch', '910121'],
      ['Gold plated ladies wrist watch', '910211'],
    ],
    against: [['Silicone smartwatch strap', '911390']],
  },
  {
    note: 'toy-instruments',
    for: [
      ['Toy trumpet plastic', '950300'],
      ['Toy ukulele for kids', '950300'],
    ],
    against: [['Alto saxophone', '920590']],
  },
  {
    note: 'instrument-electronics',
    for: [['Bass guitar amp', '851840']],
    against: [['Guitar picks', '920992']],
  },
  {
    note: 'floor-furniture',
    for: [
      ['Oak sideboard', '940360'],
      ['Wall hung bookcase wooden', '940360'],
    ],
    against: [
      ['baby car seat', '940180'],
      ['Wooden letter tray', '442090'],
      ['Hanging mirror with frame', '700992'],
    ],
  },
  {
    note: 'led-light-source',
    for: [['LED candle bulb E14', '853952']],
    against: [
      ['LED pendant light', '940511'],
      ['LED table lamp', '940521'],
    ],
  },
  {
    note: 'picture-books',
    for: [
      ['Lift the flap book for toddlers', '490300'],
      ['Touch and feel baby book', '490300'],
    ],
    against: [
      ['adult colouring book', '490199'],
      ['Paperback thriller novel', '490199'],
    ],
  },
]
