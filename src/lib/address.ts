/** IP addresses and ranges of them (CIDR): read strictly, compared as numbers. */

import ipaddr from 'ipaddr.js'
import { fail, type Outcome, ok } from './outcome.ts'

interface Range {
  readonly address: ipaddr.IPv4 | ipaddr.IPv6
  readonly bits: number
}

const FORM = /^([0-9a-fA-F.:]{2,45})(?:\/(0|[1-9]\d{0,2}))?$/

/** An address, or a range whose address has no bits behind the prefix. */
function parsed(text: string): Outcome<Range, string> {
  const [, alone = '', width] = FORM.exec(text) ?? []
  const address = addressOf(alone)
  if (!address) return fail('it is no IPv4 or IPv6 address, with or without a /prefix')
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) {
    return fail('an IPv4 address is written as such')
  }
  const most = address.kind() === 'ipv4' ? 32 : 128
  const bits = width === undefined ? most : Number(width)
  if (bits > most) return fail(`its prefix is at most /${most}`)
  const network = firstOf(address, bits)
  if (network !== address.toString()) return fail(`it has bits behind /${bits}: ${network}/${bits}`)
  return ok({ address, bits })
}

function addressOf(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // Other forms of IPv4 (octal, short) mean different addresses to different readers.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return text.includes(':') && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined
}

const firstOf = (address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string =>
  (address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6)
    .networkAddressFromCIDR(`${address}/${bits}`)
    .toString()

/** Why a text is no address and no range; undefined: it is one. */
export function rangeFault(text: string): string | undefined {
  const range = parsed(text)
  return range.ok ? undefined : range.error
}

const covers = (outer: Range, inner: Range): boolean =>
  outer.address.kind() === inner.address.kind() &&
  outer.bits <= inner.bits &&
  inner.address.match(outer.address as ipaddr.IPv4 & ipaddr.IPv6, outer.bits)

/** Whether one of the ranges holds the other address or range whole. */
export function covered(ranges: readonly string[], text: string): boolean {
  const inner = parsed(text)
  return inner.ok && ranges.some((range) => coversOne(range, inner.value))
}

function coversOne(text: string, inner: Range): boolean {
  const outer = parsed(text)
  return outer.ok && covers(outer.value, inner)
}

/** As it is compared: an IPv4 address that came in IPv6's words is one of IPv4, zones are cut. */
export function plainAddress(text: string): string | undefined {
  const address = addressOf(text.trim().replace(/%.*$/, ''))
  if (!address) return undefined
  const mapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
  return (mapped ? address.toIPv4Address() : address).toString()
}
