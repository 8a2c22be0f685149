package io.volume4j.inmemory.plugin;

import java.util.EnumSet;
import java.util.Set;

/** The current capabilities of a plugin. Thread-safe. */
final class CapabilitySwitch {
    private final EnumSet<Capability> on;

    CapabilitySwitch(Set<Capability> initially) {
        on = EnumSet.noneOf(Capability.class);
        on.addAll(initially);
    }

    synchronized boolean has(Capability capability) {
        return on.contains(capability);
    }

    synchronized void set(Capability capability, boolean present) {
        if (present) {
            on.add(capability);
        } else {
            on.remove(capability);
        }
    }
}
