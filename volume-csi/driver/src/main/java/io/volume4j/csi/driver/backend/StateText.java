package io.volume4j.csi.driver.backend;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.Snapshot;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.VolumeCapability;
import java.io.IOException;

/** The driver's state as readable JSON; messages of the schema are in the text format of protobuf. */
final class StateText {
    private static final ObjectMapper MAPPER = mapper();

    private StateText() {}

    static String write(State state) {
        try {
            return MAPPER.writeValueAsString(state);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the driver's state cannot be written", e);
        }
    }

    /** @throws IllegalArgumentException if the text is not a valid state */
    static State read(String text) {
        try {
            return MAPPER.readValue(text, State.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a state of this driver: " + e.getOriginalMessage(), e);
        }
    }

    private static ObjectMapper mapper() {
        SimpleModule messages = new SimpleModule();
        messages.addSerializer(Message.class, new Writer());
        reader(messages, CreateVolumeRequest.class, CreateVolumeRequest.getDefaultInstance());
        reader(messages, Snapshot.class, Snapshot.getDefaultInstance());
        reader(messages, Topology.class, Topology.getDefaultInstance());
        reader(messages, VolumeCapability.class, VolumeCapability.getDefaultInstance());
        return JsonMapper.builder()
                .visibility(PropertyAccessor.ALL, Visibility.NONE)
                .visibility(PropertyAccessor.FIELD, Visibility.ANY)
                .enable(SerializationFeature.INDENT_OUTPUT)
                .addModule(messages)
                .build();
    }

    private static <M extends Message> void reader(SimpleModule module, Class<M> type, M empty) {
        module.addDeserializer(type, new Reader<>(type, empty));
    }

    private static final class Writer extends StdSerializer<Message> {
        private static final long serialVersionUID = 1L;

        Writer() {
            super(Message.class);
        }

        @Override
        public void serialize(Message message, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeString(TextFormat.printer().emittingSingleLine(true).printToString(message));
        }
    }

    private static final class Reader<M extends Message> extends StdDeserializer<M> {
        private static final long serialVersionUID = 1L;

        private final Class<M> type;
        private final M empty;

        Reader(Class<M> type, M empty) {
            super(type);
            this.type = type;
            this.empty = empty;
        }

        @Override
        public M deserialize(JsonParser in, DeserializationContext context) throws IOException {
            Message.Builder builder = empty.newBuilderForType();
            TextFormat.merge(in.getValueAsString(""), builder);
            return type.cast(builder.build());
        }
    }
}
