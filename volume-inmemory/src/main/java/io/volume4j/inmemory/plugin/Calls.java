package io.volume4j.inmemory.plugin;

import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.function.Supplier;

/** The calls from the parts of one plugin to the backend. Thread-safe. */
final class Calls {
    private final String driver;
    private final InMemoryStorage storage;
    private final Overlaps overlaps = new Overlaps();

    Calls(String driver, InMemoryStorage storage) {
        this.driver = driver;
        this.storage = storage;
    }

    <T> T make(CallSite site, Overlaps.Scope scope, Object request, CallContext context, Supplier<T> effect) {
        return make(site, "", scope, request, context, effect);
    }

    <T> T make(
            CallSite site,
            String podUid,
            Overlaps.Scope scope,
            Object request,
            CallContext context,
            Supplier<T> effect) {
        return storage.call(new InMemoryStorage.Call(site, driver, podUid, scope, overlaps, request), context, effect);
    }

    void make(CallSite site, Overlaps.Scope scope, Object request, CallContext context, Runnable effect) {
        make(site, "", scope, request, context, effect);
    }

    void make(
            CallSite site, String podUid, Overlaps.Scope scope, Object request, CallContext context, Runnable effect) {
        make(site, podUid, scope, request, context, () -> {
            effect.run();
            return true;
        });
    }

    /** The backend's handle of the volume; the PersistentVolume's name if it has no handle. */
    static String handle(String name, VolumeSource source) {
        return source instanceof CsiSource csi && !csi.volumeHandle().isEmpty() ? csi.volumeHandle() : name;
    }

    static long declaredBytes(VolumeSpec spec) {
        Quantity capacity = spec.persistentVolume() == null
                ? null
                : spec.persistentVolume().spec().capacity();
        return capacity == null ? 0 : capacity.bytes();
    }
}
