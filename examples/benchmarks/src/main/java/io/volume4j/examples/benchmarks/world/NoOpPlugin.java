package io.volume4j.examples.benchmarks.world;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Reports success for mount and unmount calls, and counts them; so only the work around the calls is measured. */
public class NoOpPlugin implements VolumePlugin, Mounter, Unmounter {
    public static final String NAME = "noop.volume4j.io";

    public final LongAdder calls = new LongAdder();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return spec.source() instanceof CsiSource source && source.driver().equals(name());
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        return spec.name();
    }

    @Override
    public boolean shared(VolumeSpec spec) {
        return spec.persistentVolume() != null;
    }

    @Override
    public int maxConcurrentCalls() {
        return 64;
    }

    @Override
    public Optional<Mounter> mounter(VolumeSpec spec) {
        return Optional.of(this);
    }

    @Override
    public Optional<Unmounter> unmounter(VolumeId volume) {
        return Optional.of(this);
    }

    @Override
    public MountResult mount(MountRequest request, CallContext context) {
        calls.increment();
        return MountResult.mounted();
    }

    @Override
    public void unmount(UnmountRequest request, CallContext context) {
        calls.increment();
    }
}
