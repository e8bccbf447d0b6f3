/** Paths of the icons: strokes of equal width on a grid of 24 units. */

const PATHS = {
  agent: 'M7 9h10v9H7zM12 9V5M9.5 13h.01M14.5 13h.01M4 13v2M20 13v2',
  archive: 'M4 5h16v4H4zM6 9v10h12V9M10 13h4',
  book: 'M5 4h9a4 4 0 0 1 4 4v12H9a4 4 0 0 1-4-4zM9 8h5',
  chart: 'M4 20h16M7 16v-5M12 16V5M17 16V8',
  chat: 'M4 5h16v11H11l-4 4v-4H4z',
  check: 'M5 13l4 4L19 7',
  clip:
    'M20 11l-8.5 8.500a5 5 0 0 1-7-7L13 4a3.4 3.4 0 0 1 5 5l-8.5 8.5' +
    'a1.7 1.7 0 0 1-2.5-2.500L14 8',
  clock: 'M12 4a8 8 0 1 0 .01 0M12 8v4l3 2',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  dots:
    'M4 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M11 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0' +
    'M18 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0',
  down: 'M6 9l6 6 6-6',
  edit: 'M4 20l1-4L16 5l3 3L8 19z',
  eye:
    'M3 12c3-4.500 6-7 9-7s6 2.500 9 7c-3 4.500-6 7-9 7s-6-2.500-9-7z' +
    'M12 9.500a2.500 2.500 0 1 0 0 5a2.500 2.500 0 1 0 0-5',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  fork: 'M7 4v16M7 10c0 5 10 2 10 8M7 4a2 2 0 1 0 0 .01M17 20v-2',
  hook: 'M15 8v7a4.500 4.500 0 0 1-9 0v-3l3 3M15 3a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5',
  key: 'M14 10a4 4 0 1 0-4 4h1l2 2h2v2h2v2h3v-3l-6.5-6.5',
  layers: 'M12 3l9 5-9 5-9-5zM3 13l9 5 9-5M3 17.500l9 5 9-5',
  left: 'M15 6l-6 6 6 6',
  list: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
  lock: 'M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3',
  menu: 'M4 6h16M4 12h16M4 18h16',
  minus: 'M5 12h14',
  plus: 'M12 5v14M5 12h14',
  retry: 'M4 12a8 8 0 1 1 2.5 5.800M4 19v-5h5',
  right: 'M9 6l6 6-6 6',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l5 5',
  send: 'M12 19V5M6 11l6-6 6 6',
  sliders: 'M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4',
  stop: 'M7 7h10v10H7z',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  warn: 'M12 4l9 16H3zM12 10v4M12 17h.01',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      aria-hidden="true"
      className="shrink-0"
      fill="none"
      height={size}
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth="1.8"
      viewBox="0 0 24 24"
      width={size}
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
