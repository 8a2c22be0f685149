package io.volume4j.core.control.host;

import io.volume4j.core.control.host.ClusterWork.Look.At;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Reads the store itself before a destructive call. A watch may be late, and an object that the watch has not
 * reported yet may forbid the call. The methods block; worker threads call them.
 */
public final class LiveReader {
    private final ClusterSource source;
    private final LongSupplier ticker;
    private final Consumer<ApiObject> news;

    /**
     * @param ticker loop time, readable from any thread
     * @param news gets an object that the store has although this process had seen it deleted; called on the worker
     *     thread
     */
    public LiveReader(ClusterSource source, LongSupplier ticker, Consumer<ApiObject> news) {
        this.source = source;
        this.ticker = ticker;
        this.news = news;
    }

    /** Reads the users of objects. */
    public Users users(At at) {
        long begun = ticker.getAsLong();
        List<ApiObject> objects = new ArrayList<>();
        for (Kind kind : switch (at) {
            case NODES -> List.of(Kind.VOLUME_ATTACHMENT, Kind.NODE);
            case PODS -> List.of(Kind.POD);
            case CLAIMS -> List.of(Kind.PERSISTENT_VOLUME_CLAIM, Kind.PERSISTENT_VOLUME);
        }) {
            objects.addAll(all(kind));
        }
        return new Users(begun, ticker.getAsLong(), objects);
    }

    /**
     * Reads all objects of the kind.
     *
     * @throws VolumeException transient or final, if the read fails
     */
    public List<ApiObject> all(Kind kind) {
        try {
            return source.list(kind, Selection.all()).objects();
        } catch (ClusterException failure) {
            throw ClusterCalls.classified(
                    "list " + kind.apiName() + " objects", failure, ClusterCalls.needs("list", kind));
        }
    }

    /**
     * Reads the object. Empty if the store has no object with that name.
     *
     * @throws VolumeException transient or final, if the read fails
     */
    public Optional<ApiObject> read(ObjectKey key) {
        try {
            return source.readLive(key);
        } catch (ClusterException failure) {
            throw ClusterCalls.classified("read " + key, failure, ClusterCalls.needs("get", key.kind()));
        }
    }

    /**
     * Checks in the store that the object exists and is being deleted.
     *
     * @return the object as the store has it
     * @throws VolumeException transient, if the object does not exist or is not being deleted; transient or final, if
     *     the read fails
     */
    public ApiObject mustBeDeleting(ObjectKey key, String uid) {
        Optional<ApiObject> live =
                read(key).filter(found -> found.metadata().uid().equals(uid));
        if (live.isEmpty()) {
            throw VolumeException.transientFailure(key + " is not there any more; it is looked at again");
        }
        if (!live.get().metadata().deleting()) {
            throw thereAgain(key + ", which was being deleted,", live.get());
        }
        return live.get();
    }

    /**
     * The failure of a destructive call for an object that exists again.
     *
     * @param what the beginning of the message
     */
    public VolumeException thereAgain(String what, ApiObject live) {
        news.accept(live);
        return VolumeException.transientFailure(
                        what
                                + " is there again under its UID, as after a restore of the cluster's store; nothing is destroyed")
                .withAdvice("if the store was restored from a backup, restart all controllers and node agents");
    }

    /**
     * The failure of a destructive call for an object that forbids it now. The cache gets the object, so that the next plan
     * obeys it.
     *
     * @param what the message
     */
    public VolumeException forbids(String what, ApiObject live) {
        news.accept(live);
        return VolumeException.transientFailure(what + "; nothing is destroyed");
    }

    /** Loop time, in nanoseconds. */
    public long now() {
        return ticker.getAsLong();
    }
}
