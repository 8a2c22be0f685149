package io.volume4j.inmemory.plugin;

import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.inmemory.plugin.Overlaps.Scope;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.plugin.HealthReporter;
import java.util.HashMap;
import java.util.Map;

/** Reports the health of volumes that tests set with {@link InMemoryStorage#health(String, Health)}. */
final class HealthSide implements HealthReporter {
    private final InMemoryStorage storage;
    private final Calls calls;
    private final CapabilitySwitch switches;
    private final String node;

    HealthSide(InMemoryStorage storage, Calls calls, CapabilitySwitch switches, String node) {
        this.storage = storage;
        this.calls = calls;
        this.switches = switches;
        this.node = node;
    }

    @Override
    public Health health(VolumeId volume, CallContext context) {
        CallSite site = new CallSite("health", volume.name(), node);
        return calls.make(site, Scope.NOTHING, volume, context, () -> {
            boolean there = storage.volume(volume.name()).isPresent();
            return there
                    ? storage.healths().getOrDefault(volume.name(), Health.well())
                    : new Health(true, "the backend has no such volume");
        });
    }

    @Override
    public Health healthOnNode(HealthRequest request, CallContext context) {
        return health(request.volume(), context);
    }

    @Override
    public boolean lists() {
        return switches.has(Capability.HEALTH_LIST);
    }

    /** Omits healthy volumes. */
    @Override
    public HealthListing list(CallContext context) {
        CallSite site = new CallSite("healthList", "", node);
        return calls.make(site, Scope.NOTHING, "", context, () -> {
            Map<String, Health> unwell = new HashMap<>(storage.healths());
            unwell.values().removeIf(health -> !health.abnormal());
            unwell.keySet().removeIf(handle -> storage.volume(handle).isEmpty());
            return new HealthListing(unwell, true);
        });
    }
}
