package io.volume4j.core.control.host.lead;

/**
 * The process that plans, in its current term as leader.
 *
 * @param epoch the epoch of the leader; it grows with every new leader
 * @param process different for every start of a process
 */
public record Self(long epoch, String process) {}
