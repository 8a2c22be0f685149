package io.volume4j.examples.benchmarks.workload;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.Optional;

/** The scripted backend as a plugin of the library. */
final class ScriptedPlugin implements VolumePlugin, Mounter, Unmounter {
    static final String NAME = "workload.volume4j.io";
    static final String UID_PREFIX = "uid-";

    private final ScriptedBackend backend;

    ScriptedPlugin(ScriptedBackend backend) {
        this.backend = backend;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return spec.source() instanceof CsiSource source && source.driver().equals(NAME);
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        return spec.name();
    }

    @Override
    public boolean shared(VolumeSpec spec) {
        return true;
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
        try {
            backend.mount(request.pod().metadata().name(), request.spec().name());
            return MountResult.mounted();
        } catch (BackendFailure e) {
            throw classified(e);
        }
    }

    @Override
    public void unmount(UnmountRequest request, CallContext context) {
        try {
            backend.unmount(
                    request.podUid().substring(UID_PREFIX.length()),
                    request.volume().name());
        } catch (BackendFailure e) {
            throw classified(e);
        }
    }

    private static VolumeException classified(BackendFailure failure) {
        String message = String.valueOf(failure.getMessage());
        return failure.mayHaveHappened()
                ? VolumeException.uncertain(message)
                : VolumeException.transientFailure(message);
    }
}
