package io.volume4j.core.control.host;

import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * A host's writer that returns what it stored. Null would otherwise pass for an object that does not exist any more.
 *
 * @param host the host's writer, which may return null against its contract
 */
public record AnsweringWriter(ClusterWriter host) implements ClusterWriter {
    @Override
    public ApiObject create(ApiObject object) {
        return stored(host.create(object), "create", object.key());
    }

    @Override
    public ApiObject patch(ObjectKey key, Patch patch) {
        return stored(host.patch(key, patch), "patch", key);
    }

    @Override
    public void delete(ObjectKey key, Preconditions preconditions) {
        host.delete(key, preconditions);
    }

    private ApiObject stored(@Nullable ApiObject answer, String call, ObjectKey key) {
        if (answer == null) {
            throw new IllegalStateException(
                    "the host's ClusterWriter, " + host.getClass().getName() + ", returned null from " + call + " of "
                            + key + "; it must return the stored object");
        }
        return answer;
    }
}
