export async function advanceDelivery(_w: unknown, _p: string): Promise<void> {}
export async function createDelivery(..._a: unknown[]): Promise<void> {}
