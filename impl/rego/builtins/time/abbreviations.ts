/** Abbreviations of the time zone database that the English of a platform lacks: offset in minutes, and the zones. */
const ABBREVIATIONS: readonly (readonly [name: string, minutes: number, zones: string])[] = [
  ['BST', 60, 'Europe/Guernsey Europe/Isle_of_Man Europe/Jersey'],
  ['CDT', -240, 'America/Havana'],
  ['CST', -300, 'America/Havana'],
  ['CST', 480, 'Asia/Macau Asia/Shanghai Asia/Taipei'],
  ['ChST', 600, 'Pacific/Guam Pacific/Saipan'],
  ['GMT', 0, 'GMT'],
  ['HDT', -540, 'America/Adak'],
  ['HKT', 480, 'Asia/Hong_Kong'],
  ['HST', -600, 'America/Adak'],
  ['IDT', 180, 'Asia/Jerusalem'],
  ['IST', 60, 'Europe/Dublin'],
  ['IST', 120, 'Asia/Jerusalem'],
  ['JST', 540, 'Asia/Tokyo'],
  ['KST', 540, 'Asia/Pyongyang Asia/Seoul'],
  ['MSK', 180, 'Europe/Kirov Europe/Moscow Europe/Simferopol Europe/Volgograd'],
  ['MST', -420, 'America/Dawson America/Hermosillo America/Mazatlan America/Whitehorse'],
  ['NDT', -150, 'America/St_Johns'],
  ['NST', -210, 'America/St_Johns'],
  ['PKT', 300, 'Asia/Karachi'],
  ['PST', 480, 'Asia/Manila'],
  ['SST', -660, 'Pacific/Midway Pacific/Pago_Pago'],
  ['WIB', 420, 'Asia/Jakarta Asia/Pontianak'],
  ['WIT', 540, 'Asia/Jayapura'],
  ['WITA', 480, 'Asia/Makassar'],
]

const KNOWN: ReadonlyMap<string, string> = new Map(
  ABBREVIATIONS.flatMap(([name, minutes, zones]) =>
    zones.split(' ').map((zone) => [`${zone} ${minutes * 60}`, name] as const),
  ),
)

/** Zones that have offsets only, although English has names for them. */
export const WITHOUT_ABBREVIATION: ReadonlySet<string> = new Set([
  'Antarctica/Casey',
  'Antarctica/Troll',
  'Asia/Colombo',
  'Asia/Dubai',
  'Asia/Muscat',
  'Australia/Eucla',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
])

/** The abbreviation of a zone for an offset in seconds, where the platform has none or another one. */
export const knownAbbreviation = (zone: string, offset: number): string | undefined =>
  KNOWN.get(`${zone} ${offset}`)
