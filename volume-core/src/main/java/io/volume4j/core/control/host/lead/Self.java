package io.volume4j.core.control.host.lead;

/**
 * Who is planning.
 *
 * @param epoch of the leader, growing with every new one
 * @param process different for every start of a process
 * @param finalizer with which volumes are kept that are made here
 */
public record Self(long epoch, String process, String finalizer) {}
