package io.volume4j.core.control.binding;

/**
 * Who is planning.
 *
 * @param epoch of the leader, growing with every new one
 * @param process different for every start of a process
 */
public record Self(long epoch, String process) {
    boolean holds(ProvisioningIntent intent) {
        return intent.epoch() == epoch && intent.by().equals(process);
    }

    boolean holds(ReclaimIntent intent) {
        return intent.epoch() == epoch && intent.by().equals(process);
    }
}
