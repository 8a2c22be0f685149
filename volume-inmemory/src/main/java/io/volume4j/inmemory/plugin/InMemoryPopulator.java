package io.volume4j.inmemory.plugin;

import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.inmemory.plugin.Overlaps.Scope;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.plugin.Populator;
import java.time.Duration;
import java.util.Map;

/**
 * Fills volumes of an {@link InMemoryStorage} from objects of kind {@code Dataset} in the group {@code data.mem}: the
 * first call begins to fill, the next one completes it. The volume's parameter {@link #CONTENT} then names the
 * source. Its calls are {@code fill} and {@code cleanUp}; faults apply to them as to those of a plugin. Thread-safe.
 * Keeps no state that a restart must not lose.
 *
 * @since 0.1.0
 */
public final class InMemoryPopulator implements Populator {
    public static final String GROUP = "data.mem";
    public static final String KIND = "Dataset";

    /** Parameter of a filled volume: namespace and name of its source. */
    public static final String CONTENT = "content";

    private static final String BEGUN = "filling";
    private static final Duration AGAIN = Duration.ofSeconds(10);

    private final InMemoryStorage storage;
    private final Calls calls;

    private InMemoryPopulator(InMemoryStorage storage) {
        this.storage = storage;
        calls = new Calls("populator", storage);
    }

    public static InMemoryPopulator on(InMemoryStorage storage) {
        return new InMemoryPopulator(storage);
    }

    @Override
    public String sourceGroup() {
        return GROUP;
    }

    @Override
    public String sourceKind() {
        return KIND;
    }

    @Override
    public Progress fill(Request request, CallContext context) {
        String handle = Calls.handle(
                request.volume().metadata().name(), request.volume().spec().source());
        CallSite site = new CallSite("fill", handle, "");
        return calls.make(site, Scope.NOTHING, request, context, () -> {
            BackingVolume volume = storage.volume(handle)
                    .orElseThrow(() -> VolumeException.finalFailure(site + ": the backend has no such volume"));
            if (!volume.parameters().containsKey(BEGUN)) {
                storage.model().modify(site.toString(), handle, Map.of(BEGUN, request.claimUid()));
                return Progress.askAgainAfter(AGAIN);
            }
            storage.model()
                    .modify(
                            site.toString(),
                            handle,
                            Map.of(
                                    CONTENT,
                                    request.source().namespace() + "/"
                                            + request.source().name()));
            return Progress.complete();
        });
    }

    @Override
    public void cleanUp(CleanUpRequest request, CallContext context) {
        calls.make(new CallSite("cleanUp", request.claimUid(), ""), Scope.NOTHING, request, context, () -> {});
    }
}
