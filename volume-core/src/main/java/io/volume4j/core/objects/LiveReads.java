package io.volume4j.core.objects;

import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads single objects from the store on a worker, and tries again after a pause if the store does not answer. */
final class LiveReads {
    private static final Logger LOG = LoggerFactory.getLogger(LiveReads.class);

    private final ClusterSource source;
    private final CachePorts ports;

    LiveReads(ClusterSource source, CachePorts ports) {
        this.source = source;
        this.ports = ports;
    }

    /**
     * Reads the object once.
     *
     * @param attempt the number of this try, from 1
     * @param wanted whether the result is still needed; called on the loop before the next try
     * @param taker gets the object in the store; called on the worker
     * @param again starts the next try; called on the loop, after a pause
     */
    void ask(ObjectKey key, int attempt, BooleanSupplier wanted, Consumer<Optional<ApiObject>> taker, Runnable again) {
        Runnable read = () -> {
            try {
                taker.accept(source.readLive(key));
            } catch (Throwable failure) {
                KindFeed.quietly(() -> ports.loop().execute(() -> failed(key, attempt, failure, wanted, again)));
            }
        };
        try {
            ports.worker().execute(read);
        } catch (Throwable noWorker) {
            failed(key, attempt, noWorker, wanted, again);
        }
    }

    private void failed(ObjectKey key, int attempt, Throwable failure, BooleanSupplier wanted, Runnable again) {
        if (!wanted.getAsBoolean()) {
            return;
        }
        LOG.atWarn()
                .addKeyValue("object", key)
                .addKeyValue("attempt", attempt)
                .addKeyValue("error", failure.toString())
                .log("an object could not be read from the store; tried again");
        ports.timer().after(ports.backoff().apply(attempt), () -> {
            if (wanted.getAsBoolean()) {
                again.run();
            }
        });
    }
}
