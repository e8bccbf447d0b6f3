/** Parses IP addresses and CIDR ranges strictly and compares them as numbers. */

import ipaddr from 'ipaddr.js'
import { fail, type Outcome, ok } from './outcome.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

interface Range {
  readonly address: Address
  readonly bits: number
}

const FORM = /^([0-9a-fA-F.:]{2,45})(?:\/(0|[1-9]\d{0,2}))?$/

function parse(text: string): Outcome<Range, string> {
  const [, addressText = '', width] = FORM.exec(text) ?? []
  const address = addressOf(addressText)
  if (!address) return fail('must be an IPv4 or IPv6 address with an optional /prefix')
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) {
    return fail('write IPv4 addresses in IPv4 notation')
  }
  const widest = address.kind() === 'ipv4' ? 32 : 128
  const bits = width === undefined ? widest : Number(width)
  if (bits > widest) return fail(`the prefix must be at most /${widest}`)
  const network = networkOf(address, bits)
  if (network !== address.toString())
    return fail(`bits are set after /${bits}; use ${network}/${bits}`)
  return ok({ address, bits })
}

/**
 * Parses an IP address; octal and short forms of IPv4 are rejected, because parsers disagree on
 * their meaning.
 */
function addressOf(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return text.includes(':') && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined
}

const networkOf = (address: Address, bits: number): string =>
  (address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6)
    .networkAddressFromCIDR(`${address}/${bits}`)
    .toString()

/** Explains why a text is neither an IP address nor a range; returns undefined if it is valid. */
export function rangeFault(text: string): string | undefined {
  const range = parse(text)
  return range.ok ? undefined : range.error
}

/** Reports whether one of the ranges contains an entire address or range. */
export function isCovered(ranges: readonly string[], text: string): boolean {
  const inner = parse(text)
  return inner.ok && ranges.some((range) => covers(parse(range), inner.value))
}

const covers = (outer: Outcome<Range, string>, inner: Range): boolean =>
  outer.ok &&
  outer.value.address.kind() === inner.address.kind() &&
  outer.value.bits <= inner.bits &&
  inner.address.match(outer.value.address as ipaddr.IPv4 & ipaddr.IPv6, outer.value.bits)

/**
 * Returns an IP address in canonical form, without a zone and with IPv4-mapped addresses as IPv4;
 * undefined if the text is invalid.
 */
export function plainAddress(text: string): string | undefined {
  const address = addressOf(text.trim().replace(/%.*$/, ''))
  if (!address) return undefined
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
  return (isMapped ? address.toIPv4Address() : address).toString()
}
