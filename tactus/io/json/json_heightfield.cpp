#include "tactus/io/json/json_heightfield.hpp"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "tactus/io.hpp"
#include "tactus/io/file/standard_input.hpp"
#include "tactus/io/json/json_fields.hpp"

namespace tactus::io {

using nlohmann::json;

namespace {

/// Largest value of a pixel.
constexpr double kWhite = 65535.0;

/// Two numbers, as an array.
std::pair<double, double> read_pair(const json& value, const std::string& path) {
  if (!value.is_array() || value.size() != 2) throw InvalidInput(path, "must have two entries");
  return {JsonFields::to_number(value[0], JsonFields::path_of(path, 0)),
          JsonFields::to_number(value[1], JsonFields::path_of(path, 1))};
}

void read_rows(const json& rows, const std::string& path, fit::Heightfield& field) {
  field.rows = static_cast<std::uint32_t>(rows.size());
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const std::string place = JsonFields::path_of(path, j);
    if (!rows[j].is_array() || (j > 0 && rows[j].size() != rows[0].size()))
      throw InvalidInput(place, "must be a row of as many numbers as the first");
    for (std::size_t i = 0; i < rows[j].size(); ++i)
      field.heights.push_back(JsonFields::to_number(rows[j][i], JsonFields::path_of(place, i)));
  }
  field.columns = rows.empty() ? 0 : static_cast<std::uint32_t>(rows[0].size());
}

void read_picture(JsonFields& fields, const std::filesystem::path& folder,
                  fit::Heightfield& field) {
  const auto [black, white] = read_pair(fields.require("height"), fields.path_of("height"));
  const auto channel = fields.choice("channel", ImageChannel::grey);
  Image image;
  try {
    image = read_image(beside(folder, fields.text("file")), channel);
  } catch (const std::runtime_error& error) {
    throw InvalidInput(fields.path_of("file"), error.what());
  }
  field.columns = static_cast<std::uint32_t>(image.width);
  field.rows = static_cast<std::uint32_t>(image.height);
  for (std::size_t j = field.rows; j-- > 0;) {
    for (std::size_t i = 0; i < field.columns; ++i)
      field.heights.push_back(black +
                              (white - black) * (image.values[j * field.columns + i] / kWhite));
  }
}

}  // namespace

Mesh heightfield_from_json(const json& value, const std::string& path,
                           const std::filesystem::path& folder) {
  JsonFields fields(value, path);
  fields.require("type");
  fit::Heightfield field;
  const bool has_file = fields.find("file") != nullptr;
  if (has_file == (fields.find("heights") != nullptr))
    throw InvalidInput(path, "needs either `heights` or `file`");
  if (has_file)
    read_picture(fields, folder, field);
  else
    read_rows(fields.array("heights"), fields.path_of("heights"), field);
  if (const json* spacing = fields.find("spacing")) {
    if (spacing->is_array())
      std::tie(field.spacing_x, field.spacing_y) = read_pair(*spacing, fields.path_of("spacing"));
    else
      field.spacing_x = field.spacing_y = fields.number("spacing");
  }
  field.diagonal = fields.choice("diagonal", fit::HeightDiagonal::automatic);
  if (fields.find("thickness") != nullptr) field.thickness = fields.number("thickness");
  fields.finish();
  try {
    return Mesh(fit::make_heightfield(field));
  } catch (const InvalidInput& error) {
    if (path.empty()) throw;
    throw error.within(path);
  }
}

}  // namespace tactus::io
