/** Memory of the functions, in a file that needs no CDK: costs and ceilings are counted with it. */

/** What Lambda gives a function of so many MB: one vCPU, with less a share of one. */
export const VCPU_MB = 1_769

/**
 * MB. The program alone fills about 120 when it is loaded: a test holds that against the least. The
 * clock is one function for the whole deployment and computes all the time where much is due: it has
 * a processor of its own.
 */
export const MEMORY = { http: 512, work: 512, clock: VCPU_MB, dead: 256 } as const
