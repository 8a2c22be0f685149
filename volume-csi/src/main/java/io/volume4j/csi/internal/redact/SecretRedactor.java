package io.volume4j.csi.internal.redact;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.volume4j.csi.internal.proto.CsiProto;
import io.volume4j.csi.internal.proto.GetPluginInfoResponse;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.VolumeCapability.MountVolume;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Writes a message as one line for logs. It hides fields that the schema marks as secret. Of other maps it shows only the
 * keys, except for maps that are known to be harmless. Credentials have been found in volume attributes too
 * (CVE-2023-2878, CVE-2024-3744). It does not show fields that this schema does not know, since a newer schema may mark
 * them as secret.
 */
public final class SecretRedactor {
    /** The longest line; enough for a request with a dozen parameters. */
    public static final int MAX_LENGTH = 2048;

    private static final int MAX_STRING = 256;
    private static final String HIDDEN = "***";

    /** Maps whose values contain only places or the version of a driver. */
    private static final Set<FieldDescriptor> OPEN_MAPS = Set.of(
            Topology.getDescriptor().findFieldByNumber(Topology.SEGMENTS_FIELD_NUMBER),
            GetPluginInfoResponse.getDescriptor().findFieldByNumber(GetPluginInfoResponse.MANIFEST_FIELD_NUMBER));

    private static final List<String> SUBJECTS =
            List.of("volume_id", "snapshot_id", "group_snapshot_id", "target_snapshot_id", "name", "source_volume_id");

    private static final FieldDescriptor MOUNT_FLAGS =
            MountVolume.getDescriptor().findFieldByNumber(MountVolume.MOUNT_FLAGS_FIELD_NUMBER);

    private final StringBuilder line = new StringBuilder();

    private SecretRedactor() {}

    /** The message as one line without secrets. */
    public static String describe(Message message) {
        SecretRedactor redactor = new SecretRedactor();
        redactor.line.append(message.getDescriptorForType().getName());
        redactor.append(message);
        return shorten(redactor.line.toString(), MAX_LENGTH);
    }

    /** The id or name of the message's object, from the most specific field; {@code ""} if there is none. */
    public static String subject(Message message) {
        for (String name : SUBJECTS) {
            FieldDescriptor field = message.getDescriptorForType().findFieldByName(name);
            if (field != null && !((String) message.getField(field)).isEmpty()) {
                return text(message.getField(field));
            }
        }
        return "";
    }

    /** Whether the field must never be shown. */
    static boolean secret(FieldDescriptor field) {
        return field.getOptions().getExtension(CsiProto.csiSecret) || field.equals(MOUNT_FLAGS);
    }

    private void append(Message message) {
        line.append('{');
        String separator = "";
        for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
            FieldDescriptor field = entry.getKey();
            line.append(separator).append(field.getName()).append('=');
            separator = " ";
            if (secret(field)) {
                line.append(HIDDEN);
            } else if (field.isMapField()) {
                appendMap(field, (List<?>) entry.getValue());
            } else if (field.isRepeated()) {
                appendList(field, (List<?>) entry.getValue());
            } else {
                appendValue(field, entry.getValue());
            }
        }
        line.append('}');
    }

    private void appendMap(FieldDescriptor map, List<?> entries) {
        Descriptor entryType = map.getMessageType();
        FieldDescriptor key = entryType.findFieldByNumber(1);
        FieldDescriptor value = entryType.findFieldByNumber(2);
        Set<String> shown = new TreeSet<>();
        for (Object each : entries) {
            Message entry = (Message) each;
            shown.add(
                    text(entry.getField(key)) + "=" + (OPEN_MAPS.contains(map) ? text(entry.getField(value)) : HIDDEN));
        }
        line.append(shown);
    }

    private void appendList(FieldDescriptor list, List<?> values) {
        line.append('[');
        String separator = "";
        for (Object value : values) {
            line.append(separator);
            appendValue(list, value);
            separator = ", ";
        }
        line.append(']');
    }

    private void appendValue(FieldDescriptor field, Object value) {
        if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
            append((Message) value);
        } else {
            line.append(text(value));
        }
    }

    private static String text(Object value) {
        return shorten(printable(value.toString()), MAX_STRING);
    }

    /** Escapes line breaks and other control characters, so that the text cannot forge a log line. */
    static String printable(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
                out.append(c == '\n' ? "\\n" : "\\u%04x".formatted((int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    /** The text, cut to this number of chars at most, but never within a character: no object can contain half of one. */
    public static String shorten(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 2)) ? most - 2 : most - 1;
        return text.substring(0, end) + '…';
    }
}
