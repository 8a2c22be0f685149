package io.volume4j.core.control.run;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * All objects of a kind, read from the store for calls that must not rest on the cache. Each call gets a listing that began
 * after it asked, and calls that ask while another listing runs share the next one: many volumes deleted at once cost few
 * listings. For worker threads.
 */
final class SharedListing {
    private final ClusterSource source;
    private final Kind kind;

    /** The listing that runs; done if none does. */
    private CompletableFuture<List<ApiObject>> running = CompletableFuture.completedFuture(List.of());

    /** The listing that begins when that one has ended, null if nobody wants it. */
    private @Nullable CompletableFuture<List<ApiObject>> next;

    SharedListing(ClusterSource source, Kind kind) {
        this.source = source;
        this.kind = kind;
    }

    /** @throws VolumeException transient, if the objects cannot be listed in time */
    List<ApiObject> fresh(CallContext context) {
        CompletableFuture<List<ApiObject>> before;
        CompletableFuture<List<ApiObject>> mine;
        boolean lister;
        synchronized (this) {
            lister = next == null;
            mine = next == null ? new CompletableFuture<>() : next;
            next = mine;
            before = running;
        }
        if (lister) {
            list(before, mine, context);
        }
        return await(mine, context);
    }

    private void list(
            CompletableFuture<List<ApiObject>> before, CompletableFuture<List<ApiObject>> mine, CallContext context) {
        try {
            await(before.handle((objects, failure) -> List.of()), context);
        } catch (VolumeException late) {
            synchronized (this) {
                next = null;
            }
            mine.completeExceptionally(late);
            return;
        }
        synchronized (this) {
            running = mine;
            next = null;
        }
        try {
            mine.complete(source.list(kind, Selection.all()).objects());
        } catch (ClusterException failure) {
            mine.completeExceptionally(ClusterCalls.classified("list " + kind.apiName() + " objects", failure));
        } catch (RuntimeException | Error failure) {
            mine.completeExceptionally(failure);
            throw failure;
        }
    }

    private List<ApiObject> await(CompletableFuture<List<ApiObject>> listing, CallContext context) {
        try {
            return listing.get(Math.max(1, context.remaining().toNanos()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof VolumeException classified) {
                throw classified;
            }
            throw VolumeException.transientFailure("cannot list " + kind.apiName() + " objects: " + failed.getCause())
                    .withCause(failed);
        } catch (TimeoutException late) {
            throw VolumeException.transientFailure("the listing of " + kind.apiName() + " objects takes too long");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw VolumeException.transientFailure("interrupted while listing " + kind.apiName() + " objects");
        }
    }
}
