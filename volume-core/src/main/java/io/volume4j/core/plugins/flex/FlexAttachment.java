package io.volume4j.core.plugins.flex;

import io.volume4j.core.plugins.common.AccessOptions;
import io.volume4j.core.plugins.flex.FlexRecords.Known;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.plugin.Attacher;
import io.volume4j.spi.plugin.Detacher;
import io.volume4j.spi.plugin.Observer;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code getvolumename}, {@code attach}, {@code isattached} and {@code detach}. They run where the attach controller
 * runs, which may not be the node.
 */
final class FlexAttachment implements Attacher, Detacher, Observer {
    private static final String NAME = "name";

    private final FlexDriver driver;
    private final FlexOptions options;
    private final FlexRecords records;

    FlexAttachment(FlexDriver driver, FlexOptions options, FlexRecords records) {
        this.driver = driver;
        this.options = options;
        this.records = records;
    }

    @Override
    public AttachResult attach(AttachRequest request, CallContext context) {
        VolumeSpec spec = request.spec();
        // The access of the volume, not of its first pod: the next pod may write.
        String json = options.ofVolume(spec, AccessOptions.onlyReadByMany(spec));
        String name = driver.call(FlexCommand.GETVOLUMENAME, context, json)
                .map(FlexAnswer::volumeName)
                .filter(said -> !said.isEmpty())
                .orElse(spec.name());
        boolean secret = FlexOptions.source(spec).secretRef() != null;
        records.write(request.volume().name(), new Known(name, secret ? "{}" : json));
        String device = driver.call(FlexCommand.ATTACH, context, json, request.nodeName())
                .map(FlexAnswer::device)
                .orElse("");
        return AttachResult.at(device).with(new PluginState(1, Map.of(NAME, name)));
    }

    @Override
    public void detach(DetachRequest request, CallContext context) {
        String volume = request.volume().name();
        String remembered = request.state().get(NAME);
        String name =
                remembered.isEmpty() ? records.read(volume).map(Known::name).orElse(volume) : remembered;
        var unused = driver.call(FlexCommand.DETACH, context, name, request.nodeName());
        records.remove(volume);
    }

    @Override
    public List<Observation> attachments(List<Query> queries, CallContext context) {
        return queries.stream().map(query -> observe(query, context)).toList();
    }

    private Observation observe(Query query, CallContext context) {
        try {
            Optional<Known> known = records.read(query.volume().name());
            if (known.isEmpty() || known.get().options().equals("{}")) {
                return Observation.UNKNOWN;
            }
            return driver.call(FlexCommand.ISATTACHED, context, known.get().options(), query.nodeName())
                    .map(answer -> answer.attached() ? Observation.PRESENT : Observation.ABSENT)
                    .orElse(Observation.UNKNOWN);
        } catch (VolumeException e) {
            return Observation.UNKNOWN;
        }
    }
}
