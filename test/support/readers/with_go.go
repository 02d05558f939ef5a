// Go's encoding/csv reads CSV, each cell as the text that the JSON has.
package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

type entry struct {
	Name    string `json:"name"`
	File    string `json:"file"`
	Columns []struct {
		Name string `json:"name"`
		Type string `json:"type"`
	} `json:"columns"`
}

type report struct {
	Tables           int               `json:"tables"`
	Rows             int               `json:"rows"`
	Differences      []string          `json:"differences"`
	GuessedOtherwise map[string]string `json:"guessedOtherwise"`
}

func main() {
	folder := os.Args[1]
	var entries []entry
	if err := json.Unmarshal(read(folder, "tables.json"), &entries); err != nil {
		panic(err)
	}
	done := report{Differences: []string{}, GuessedOtherwise: map[string]string{}}
	for _, table := range entries {
		rows, err := compare(folder, table)
		if err != nil {
			done.Differences = append(done.Differences, fmt.Sprintf("%s: %v", table.Name, err))
			continue
		}
		done.Tables++
		done.Rows += rows
	}
	if err := json.NewEncoder(os.Stdout).Encode(done); err != nil {
		panic(err)
	}
}

func read(folder, name string) []byte {
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		panic(err)
	}
	return text
}

func compare(folder string, table entry) (int, error) {
	lines := strings.Split(strings.TrimSuffix(string(read(folder, table.File+".ndjson")), "\n"), "\n")
	if lines[0] == "" {
		lines = nil
	}
	records, err := csv.NewReader(strings.NewReader(string(read(folder, table.File+".csv")))).ReadAll()
	if err != nil {
		return 0, err
	}
	header, records := records[0], records[1:]
	if len(records) != len(lines) {
		return 0, fmt.Errorf("%d rows of %d", len(records), len(lines))
	}
	types := map[string]string{}
	for _, column := range table.Columns {
		types[column.Name] = column.Type
	}
	for place, line := range lines {
		var row map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			return 0, err
		}
		if len(row) != len(header) {
			return 0, fmt.Errorf("%d columns of %d", len(header), len(row))
		}
		for index, name := range header {
			expected, err := cell(row[name], types[name])
			if err != nil {
				return 0, fmt.Errorf("%s of row %d: %w", name, place, err)
			}
			if records[place][index] != expected {
				return 0, fmt.Errorf("%s of row %d is %.200q and not %.200q", name, place, records[place][index], expected)
			}
		}
	}
	return len(lines), nil
}

// What JSON has, as a cell of CSV.
func cell(value json.RawMessage, kind string) (string, error) {
	text := string(value)
	switch {
	case text == "null":
		return "", nil
	case kind == "list":
		var items []json.RawMessage
		if err := json.Unmarshal(value, &items); err != nil {
			return "", err
		}
		cells := make([]string, len(items))
		for index, item := range items {
			each, err := cell(item, "")
			if err != nil {
				return "", err
			}
			cells[index] = each
		}
		return strings.Join(cells, "|"), nil
	case kind == "json":
		return ended(text), nil
	case strings.HasPrefix(text, `"`):
		err := json.Unmarshal(value, &text)
		return ended(text), err
	default:
		return text, nil
	}
}

// The package has a line feed for each carriage return with one.
func ended(text string) string {
	return strings.ReplaceAll(text, "\r\n", "\n")
}
