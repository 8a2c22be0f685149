package io.volume4j.core.plugins.loop;

import io.volume4j.core.plugins.common.MountPoints;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.FilesystemUsage;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.CapacityReporter;
import io.volume4j.spi.plugin.HealthReporter;
import io.volume4j.spi.plugin.StatsReporter;
import java.util.Optional;

/** Reports capacity, usage and health. */
public final class LoopReporter implements CapacityReporter, StatsReporter, HealthReporter {
    private final LoopImages images;

    public LoopReporter(LoopImages images) {
        this.images = images;
    }

    @Override
    public Capacity capacity(CapacityRequest request, CallContext context) {
        return new Capacity(images.available(), 0);
    }

    @Override
    public Stats stats(StatsRequest request, CallContext context) {
        if (request.block()
                || new MountPoints(images.backend()).at(request.path()).isEmpty()) {
            long bytes = images.requireSize(images.file(request.volume()));
            return Stats.ofDevice(bytes);
        }
        FilesystemUsage usage = images.backend().usage(request.path());
        return Stats.of(usage);
    }

    @Override
    public Health health(VolumeId volume, CallContext context) {
        try {
            RootedPath file = images.file(volume);
            Optional<Long> size = images.size(file);
            return size.isPresent() && size.get() > 0
                    ? Health.well()
                    : new Health(true, "the image " + file + " is gone");
        } catch (VolumeException e) {
            return new Health(true, e.getMessage());
        }
    }
}
