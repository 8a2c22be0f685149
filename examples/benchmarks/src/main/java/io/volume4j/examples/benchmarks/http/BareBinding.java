package io.volume4j.examples.benchmarks.http;

import io.volume4j.examples.agent.http.ApiPath;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.WellKnown;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * The writes with which a controller binds claims, sent by a bare client: the four writes of a claim one after another, each against the
 * revision that the store returned for the one before; many claims at the same time.
 */
public final class BareBinding {
    /** The writes of a claim. */
    public static final long WRITES = 4;

    private static final String REVISION = "\"resourceVersion\":\"";

    private final BareClient client;
    private final List<PersistentVolumeClaim> claims;
    private final List<PersistentVolume> volumes;

    /** The claims and as many volumes, as they are listed; each claim gets the volume at the same place. */
    public BareBinding(BareClient client, List<ApiObject> claims, List<ApiObject> volumes) {
        this.client = client;
        this.claims = claims.stream().map(PersistentVolumeClaim.class::cast).toList();
        this.volumes = volumes.stream().map(PersistentVolume.class::cast).toList();
    }

    /**
     * Binds all claims.
     *
     * @param store its processor time so far, in nanoseconds
     */
    public Turn bind(int inFlight, LongSupplier store) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(inFlight);
        try {
            AtomicInteger next = new AtomicInteger();
            LongAdder busy = new LongAdder();
            List<Future<?>> parts = new ArrayList<>();
            TurnClock clock = TurnClock.start(store);
            for (int i = 0; i < inFlight; i++) {
                parts.add(threads.submit(() -> {
                    long start = System.nanoTime();
                    for (int n = next.getAndIncrement(); n < claims.size(); n = next.getAndIncrement()) {
                        bind(claims.get(n), volumes.get(n));
                    }
                    busy.add(System.nanoTime() - start);
                    return null;
                }));
            }
            for (Future<?> part : parts) {
                part.get();
            }
            long writes = WRITES * claims.size();
            return clock.stop(writes, 0, busy.sum(), inFlight);
        } finally {
            threads.shutdownNow();
        }
    }

    private void bind(PersistentVolumeClaim claim, PersistentVolume volume) throws IOException, InterruptedException {
        ObjectMeta claimMeta = claim.metadata();
        ObjectMeta volumeMeta = volume.metadata();
        String reserved = client.patch(ApiPath.object(volume.key()), reserve(claimMeta, volumeMeta));
        client.patch(
                status(volume.key()),
                "{\"status\":{\"phase\":\"Bound\",\"lastPhaseTransitionTime\":\"" + Instant.now() + "\"},\"metadata\":{"
                        + held(volumeMeta, revision(reserved)) + "}}");
        String completed = client.patch(ApiPath.object(claim.key()), complete(claimMeta, volumeMeta));
        client.patch(
                status(claim.key()),
                "{\"status\":{\"accessModes\":[\"ReadWriteOnce\"],\"phase\":\"Bound\",\"capacity\":{\"storage\":\""
                        + capacity(volume) + "\"}},\"metadata\":{" + held(claimMeta, revision(completed)) + "}}");
    }

    private static String reserve(ObjectMeta claim, ObjectMeta volume) {
        return "{\"spec\":{\"claimRef\":{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"namespace\":\""
                + claim.namespace() + "\",\"name\":\"" + claim.name() + "\",\"uid\":\"" + claim.uid()
                + "\",\"resourceVersion\":\"" + claim.resourceVersion() + "\"}},\"metadata\":{\"annotations\":{\""
                + WellKnown.BOUND_BY_CONTROLLER + "\":\"yes\"}," + held(volume, volume.resourceVersion()) + "}}";
    }

    private static String complete(ObjectMeta claim, ObjectMeta volume) {
        return "{\"spec\":{\"volumeName\":\"" + volume.name() + "\"},\"metadata\":{\"annotations\":{\""
                + WellKnown.BOUND_BY_CONTROLLER + "\":\"yes\",\"" + WellKnown.BIND_COMPLETED + "\":\"yes\"},"
                + held(claim, claim.resourceVersion()) + "}}";
    }

    private static String capacity(PersistentVolume volume) {
        Quantity capacity = Objects.requireNonNull(volume.spec().capacity(), "capacity");
        return capacity.toString();
    }

    private static String status(ObjectKey key) {
        return ApiPath.object(key) + "/status";
    }

    private static String held(ObjectMeta object, String revision) {
        return "\"uid\":\"" + object.uid() + "\"," + REVISION + revision + "\"";
    }

    /** The revision of the object, whose metadata come first. */
    private static String revision(String answer) {
        int from = answer.indexOf(REVISION);
        if (from < 0) {
            throw new IllegalStateException("no revision in " + answer);
        }
        return answer.substring(from + REVISION.length(), answer.indexOf('"', from + REVISION.length()));
    }
}
