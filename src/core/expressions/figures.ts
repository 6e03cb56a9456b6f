/** The figures of measures as text, for explanations: "210 cm", "yes", "DE", "2026-12-24". */
import { rational } from './rational.ts'
import { figureText } from './units.ts'
import type { Measure } from './vocabulary.ts'

export function measureText<Facts>(measure: Measure<Facts>, facts: Facts): string {
  switch (measure.type) {
    case 'quantity': {
      const { read, min, max, perBaseUnit, dimension } = measure
      const numerator = BigInt(Math.min(Math.max(read(facts), min), max))
      return figureText(rational(numerator, BigInt(perBaseUnit)), dimension)
    }
    case 'flag':
      return measure.read(facts) ? 'yes' : 'no'
    case 'word': {
      const words = new Set(measure.read.map((read) => read(facts)).filter((word) => word !== undefined))
      return words.size === 0 ? 'none' : [...words].join(' and ')
    }
    case 'day': {
      const digits = String(measure.read(facts))
      return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
    }
  }
}
